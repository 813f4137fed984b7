package org.inferometer.simulator.live;

import java.time.Instant;
import java.util.function.Consumer;
import org.inferometer.simulator.edge.AccessLog;
import org.inferometer.simulator.edge.NginxLog;

/** Writes what a gateway logs as lines, as nginx would. */
public final class GatewayLog implements AccessLog {
  private final NginxLog log;
  private final Consumer<String> access;
  private final Consumer<String> errors;

  /**
   * @param startMs the time of day at which simulated time is 0
   * @param access takes lines of the access log, without waiting
   * @param errors those of the error log
   */
  public GatewayLog(long startMs, Consumer<String> access, Consumer<String> errors) {
    this.log = new NginxLog(Instant.ofEpochMilli(startMs));
    this.access = access;
    this.errors = errors;
  }

  @Override
  public void finished(Entry entry) {
    access.accept(log.line(entry));
  }

  @Override
  public void failed(Failure failure) {
    errors.accept(log.line(failure));
  }
}
