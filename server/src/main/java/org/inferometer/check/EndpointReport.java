package org.inferometer.check;

import java.util.List;
import java.util.Locale;
import org.inferometer.exposition.BadLine;
import org.jspecify.annotations.Nullable;

/**
 * What there is to say of one endpoint.
 *
 * @param target as it was given, without user and password
 * @param url where the metrics were found, null if nowhere
 * @param verdict one sentence
 * @param parts what it is
 * @param todo what needs doing, most important first
 * @param notes what is worth knowing
 * @param series null without metrics
 * @param scrape null without metrics
 */
public record EndpointReport(
    String target,
    @Nullable String url,
    String instance,
    String job,
    State state,
    String verdict,
    List<Part> parts,
    List<Finding> todo,
    List<Finding> notes,
    @Nullable SeriesView series,
    @Nullable ScrapeView scrape) {
  public EndpointReport {
    parts = List.copyOf(parts);
    todo = List.copyOf(todo);
    notes = List.copyOf(notes);
  }

  /** How it came out. */
  public enum State {
    OK,
    /** Something needs doing. */
    TODO,
    /** It answers, but not with metrics. */
    NO_METRICS,
    UNREACHABLE;

    /** As JSON has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /**
   * How the scrapes went.
   *
   * @param bytes of the last page, uncompressed
   */
  public record ScrapeView(
      int scrapes,
      double apartSeconds,
      double slowestSeconds,
      double timeoutSeconds,
      int bytes,
      String contentType,
      int badLines,
      List<BadLine> badLineExamples) {
    public ScrapeView {
      badLineExamples = List.copyOf(badLineExamples);
    }
  }
}
