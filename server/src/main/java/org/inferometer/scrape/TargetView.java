package org.inferometer.scrape;

import java.util.List;
import org.inferometer.exposition.BadLine;
import org.inferometer.model.Labels;

/**
 * What there is to say of a target now. Holds no secret.
 *
 * @param discoveredLabels before relabeling
 * @param scrapePool the job, or the URL that was given
 * @param scrapeUrl where it was asked last
 * @param globalUrl the same for readers on other machines
 * @param lastError short and technical; "" if there is none
 * @param lastErrorSentence the same for people
 * @param lastScrapeMs when it was scraped last; 0 for never
 * @param badLines lines of the last scrape that couldn't be read
 * @param badLineExamples the first of them
 * @param samples of the last scrape, before relabeling
 * @param contentType as sent; "" if it wasn't
 */
public record TargetView(
    Labels discoveredLabels,
    Labels labels,
    String scrapePool,
    String scrapeUrl,
    String globalUrl,
    TargetHealth health,
    String lastError,
    String lastErrorSentence,
    long lastScrapeMs,
    double lastScrapeDurationSeconds,
    long intervalMs,
    long timeoutMs,
    int badLines,
    List<BadLine> badLineExamples,
    int samples,
    String contentType) {
  public TargetView {
    badLineExamples = List.copyOf(badLineExamples);
  }
}
