package org.inferometer.simulator.fleet;

import java.util.Map;
import org.inferometer.simulator.knob.Knobs;
import org.inferometer.simulator.page.Page;

/** What can be scraped. */
public interface Endpoint {
  /** The job of a scrape config: engine, gpu, host, gateway, client. */
  String job();

  /** The part it is of: a replica, a host, the gateway. Distinct within a job. */
  String name();

  /** The address it has in series files when nothing listens: {@code qwen-0.sim:8000}. */
  String address();

  /** What service discovery would tell of it: its {@code node}, an engine's {@code pod}. */
  default Map<String, String> labels() {
    return Map.of();
  }

  /** Its metrics path, such as /metrics. */
  String path();

  /**
   * How many nanoseconds pass until it would answer somebody who asks now; then its page is that of
   * that moment. {@link Long#MAX_VALUE} if it never does.
   */
  default long delayNs() {
    return 0;
  }

  /** How it is scraped: late, seldom, frozen. */
  Knobs knobs();

  /**
   * Its page at this simulated moment.
   *
   * @throws NoAnswer if it is down, or nothing comes back
   */
  Page page() throws NoAnswer;

  /** A scrape that gets nothing. */
  final class NoAnswer extends Exception {
    private static final long serialVersionUID = 1L;

    private final boolean slow;

    /**
     * @param slow whether it would have to be waited for, and isn't refused at once
     */
    public NoAnswer(String message, boolean slow) {
      super(message);
      this.slow = slow;
    }

    public boolean isSlow() {
      return slow;
    }
  }
}
