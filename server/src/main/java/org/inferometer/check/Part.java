package org.inferometer.check;

import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.signals.Absence;
import org.inferometer.signals.Quality;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;
import org.inferometer.signals.Signal;
import org.inferometer.signals.VersionRange;
import org.jspecify.annotations.Nullable;

/**
 * One of the things that a page speaks of: an engine with a model, an exporter.
 *
 * @param service the id under which a server that scrapes it lists it
 * @param version null if its kind has none
 * @param model null if there is none
 * @param never signals that such an engine has nothing for in any release
 */
public record Part(
    String service,
    ServiceKind kind,
    String name,
    Service.Engine engine,
    @Nullable VersionRange version,
    @Nullable String model,
    List<FacetValue> facets,
    List<Feed> feeds,
    List<Lack> lacks,
    List<String> never,
    List<BucketView> buckets) {
  public Part {
    facets = List.copyOf(facets);
    feeds = List.copyOf(feeds);
    lacks = List.copyOf(lacks);
    never = List.copyOf(never);
    buckets = List.copyOf(buckets);
  }

  /** How it runs, such as with which front end. */
  public record FacetValue(String name, String value, String because) {}

  /**
   * A signal that it feeds.
   *
   * @param reason how it is derived, or why there is no value now, or null
   * @param query the PromQL behind it, null if it couldn't be asked
   * @param goal what it should stay below, or null
   * @param values none if there is none now
   */
  public record Feed(
      Signal signal,
      Quality quality,
      @Nullable String reason,
      @Nullable String query,
      @Nullable Double goal,
      List<Value> values) {
    public Feed {
      values = List.copyOf(values);
    }
  }

  /**
   * A value of a signal.
   *
   * @param low the lower edge of a quantile's bucket, NaN without one
   * @param high the upper edge, infinite beyond the last finite one, NaN without one
   */
  public record Value(Labels labels, double value, double low, double high) {}

  /**
   * Signals that one thing would bring.
   *
   * @param fix the flag, setting or release, or null if none is known
   * @param reason why the first of them is missing, a sentence
   */
  public record Lack(Absence why, @Nullable String fix, String reason, List<String> signals) {
    public Lack {
      signals = List.copyOf(signals);
    }
  }

  /** Whether it was recognised. */
  boolean isKnown() {
    return !engine.id().equals("other");
  }
}
