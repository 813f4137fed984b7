package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a signal is asked of a service, or why it can't be. */
sealed interface Resolution {
  /** The PromQL, given what it is asked of, what it is split by and the window of rates. */
  @FunctionalInterface
  interface PromQl {
    String of(Template.Values values);
  }

  /**
   * @param buckets whether the PromQL gives rates of classic buckets, of which the quantile is
   *     taken
   * @param counts what its values count, null if that isn't known
   * @param reason what to say about its values, or null
   * @param blank what to say if there are none, or null
   */
  record Found(
      PromQl promql,
      boolean buckets,
      Quality quality,
      @Nullable Population counts,
      @Nullable String reason,
      @Nullable String blank)
      implements Resolution {
    /** The PromQL that gives the signal itself, quantiles taken. */
    String promql(Signal signal, Template.Values values) {
      String text = promql.of(values);
      return buckets && signal.quantile() != null
          ? "histogram_quantile(" + signal.quantile() + ", " + text + ")"
          : text;
    }
  }

  /**
   * A share of requests of which only bounds can be told, or a rate of such requests.
   *
   * @param goals what each request has to meet
   * @param success the share of requests that ended well, null if that isn't known
   * @param rate the rate of requests that the share is taken of, null for the share itself
   */
  record Bounded(
      List<Goal> goals,
      @Nullable Found success,
      @Nullable Found rate,
      Quality quality,
      String reason)
      implements Resolution {
    public Bounded {
      goals = List.copyOf(goals);
    }
  }

  /**
   * What a request has to meet.
   *
   * @param limit the most that it may take
   * @param buckets of the histogram that tells, null if there is none
   */
  record Goal(Signal signal, double limit, @Nullable Found buckets) {}

  /**
   * @param reason a sentence
   * @param fix what brings it, or null
   */
  record Absent(Absence why, String reason, @Nullable String fix) implements Resolution {
    static Absent of(Absence why, String reason) {
      return new Absent(why, reason, null);
    }
  }
}
