package org.inferometer.diagnosis.cause;

import java.util.List;
import java.util.function.Consumer;
import org.inferometer.diagnosis.finding.Check;
import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Outcome;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;
import org.jspecify.annotations.Nullable;

/**
 * A well fleet that tests make something wrong with: two replicas that answer 8 requests a second
 * of 4 s each, so that 32 run, behind a gateway that clients ask.
 */
final class OutsideWorlds {
  private OutsideWorlds() {}

  /** The engine alone. */
  static Worlds engine() {
    return engine(8, 8, 0.1, 4);
  }

  /** The engine with other rates and latencies than before in the window. */
  static Worlds engine(double began, double ended, double ttft, double e2e) {
    return Worlds.vllm()
        .reading("request_rate", ended, 8)
        .reading("request_start_rate", began, 8)
        .reading("ttft_mean", ttft, 0.1)
        .reading("ttft_p95", 1.5 * ttft, 0.15)
        .reading("tpot_mean", 0.02, 0.02)
        .reading("itl_mean", 0.02, 0.02)
        .reading("tpot_p95", 0.025, 0.025)
        .reading("e2e_mean", e2e, 4)
        .reading("e2e_p50", 0.8 * e2e, 3.2)
        .reading("e2e_p95", 2.5 * e2e, 10)
        .reading("e2e_p99", 4 * e2e, 16)
        .reading("queue_time_mean", 0, 0)
        .reading("output_length_mean", 200, 200)
        .reading("output_token_rate", 1600, 1600)
        .reading("length_share", 0.01, 0.01)
        .reading("abort_share", 0, 0)
        .reading("error_share", 0, 0)
        .reading("running", ended * e2e, 32, ended * e2e - 6, ended * e2e + 6)
        .reading("waiting", 0, 0);
  }

  static Consumer<Worlds.Things> replica() {
    return replica(4, 16, 800);
  }

  /** A replica that runs some more and some fewer now and then. */
  static Consumer<Worlds.Things> replica(double rate, double running, double tokens) {
    return r ->
        r.reading("request_rate", rate, 4)
            .reading("running", running, 16, running - 3, running + 4)
            .line("running", running, 16, wave(running))
            .reading("waiting", 0, 0)
            .reading("output_token_rate", tokens, 800)
            .reading("process_cpu", 0.2, 0.2);
  }

  /** Values that go up and down around one, by chance as it seems. */
  static double[] wave(double level) {
    double[] values = new double[40];
    for (int i = 0; i < values.length; i++) {
      values[i] = Math.max(0, level + (i * 7 % 9) - 4);
    }
    return values;
  }

  /** A gateway before it, as well as the engine. */
  static Consumer<Worlds.Things> gateway(double ttft, double e2e, double failing) {
    return g ->
        g.reading("request_rate", 8, 8)
            .reading("completed_rate", 8 * (1 - failing), 8)
            .reading("ttft_mean", ttft, 0.1)
            .reading("ttft_p95", 1.5 * ttft, 0.15)
            .reading("e2e_mean", e2e, 4)
            .reading("e2e_p50", 0.8 * e2e, 3.2)
            .reading("e2e_p95", 2.5 * e2e, 10)
            .reading("e2e_p99", 4 * e2e, 16)
            .reading("error_share", failing, 0)
            .reading("http_5xx_share", failing, 0);
  }

  /** What clients measure. */
  static Consumer<Worlds.Things> client(double ttft, double e2e, double failing, double itl) {
    return c ->
        c.reading("request_rate", 8, 8)
            .reading("completed_rate", 8 * (1 - failing), 8)
            .reading("ttft_mean", ttft, 0.1)
            .reading("ttft_p95", 1.5 * ttft, 0.15)
            .reading("e2e_mean", e2e, 4)
            .reading("itl_mean", itl, 0.02)
            .reading("error_share", failing, 0);
  }

  /** Nothing is wrong. */
  static ServiceWorld well() {
    return engine()
        .replica("a:8000", replica())
        .replica("b:8000", replica())
        .gateway("edge", gateway(0.1, 4, 0))
        .client("load", client(0.1, 4, 0, 0.02))
        .build();
  }

  /** What a check comes to. */
  static List<Outcome> outcomes(Check check, ServiceWorld service) {
    return check.examine(service, Thresholds.builtIn());
  }

  /** The surest finding of a check, null if it finds nothing. */
  static @Nullable Finding found(Check check, ServiceWorld service) {
    Finding best = null;
    for (Outcome outcome : outcomes(check, service)) {
      if (outcome instanceof Outcome.Found found
          && (best == null || found.finding().confidence() > best.confidence())) {
        best = found.finding();
      }
    }
    return best;
  }

  /** How sure a check is, 0 if it finds nothing. */
  static double confidence(Check check, ServiceWorld service) {
    Finding found = found(check, service);
    return found == null ? 0 : found.confidence();
  }
}
