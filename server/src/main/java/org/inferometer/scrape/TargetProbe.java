package org.inferometer.scrape;

import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.model.Labels;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * Asks a target outside of its regular scrapes and in their manner: with its credentials, limits
 * and relabeling. Holds a connection until it is closed. Not thread-safe.
 */
public final class TargetProbe implements AutoCloseable {
  private final Target target;
  private final Ticker ticker;
  private final Fetcher.@Nullable Client client;
  private final SampleLabels labels;

  /** What came of asking. */
  public sealed interface Answer {
    /** Where it was asked; without user and password. */
    String url();
  }

  /**
   * A page that came with status 200.
   *
   * @param body belongs to the reader
   * @param dateMs by the server's clock, cut to the second; null if it didn't say
   * @param seconds from asking to the last byte
   */
  @SuppressWarnings("ArrayRecordComponent") // a page is read once and never compared
  public record Page(
      String url, byte[] body, @Nullable String contentType, @Nullable Long dateMs, double seconds)
      implements Answer {}

  /**
   * No page.
   *
   * @param sentence what happened and what to do, for people
   * @param said the beginning of what came with an error status, or ""
   */
  public record Failure(String url, FailureReason reason, String sentence, String said)
      implements Answer {}

  private TargetProbe(Target target, Ticker ticker, Fetcher.@Nullable Client client) {
    this.target = target;
    this.ticker = ticker;
    this.client = client;
    this.labels = new SampleLabels(target);
  }

  /** The targets of a job; those that can't be scraped are left out. */
  public static List<TargetProbe> of(ScrapeConfig config, HttpFetcher fetcher) {
    return Target.of(config).targets().stream().map(target -> of(target, fetcher)).toList();
  }

  static TargetProbe of(Target target, HttpFetcher fetcher) {
    return new TargetProbe(target, fetcher.ticker, fetcher.curiousClient(target));
  }

  /**
   * The first target of a job, whose pages come from elsewhere: it is never asked.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static TargetProbe silent(ScrapeConfig config) {
    List<Target> targets = Target.of(config).targets();
    if (targets.isEmpty()) {
      throw new IllegalArgumentException("expected a target in job " + config.poolName());
    }
    return new TargetProbe(targets.getFirst(), () -> 0, null);
  }

  /** The labels that its series get. */
  public Labels labels() {
    return target.labels();
  }

  /** Where it is scraped, without user and password. */
  public String url() {
    return target.url().toString();
  }

  /** The path with the query at which it is scraped. */
  public String path() {
    return target.url().path();
  }

  /** What it is scraped with. */
  public ScrapeConfig config() {
    return target.config();
  }

  public long intervalMs() {
    return target.intervalMs();
  }

  public long timeoutMs() {
    return target.timeoutMs();
  }

  /**
   * Asks once.
   *
   * @param path with the query, in place of the target's own
   * @throws InterruptedException if the thread is interrupted
   */
  public Answer fetch(String path) throws InterruptedException {
    Fetcher.Client asked = client;
    if (asked == null) {
      throw new IllegalStateException("a silent target isn't asked");
    }
    TargetUrl url = target.url().withPath(path);
    long begin = ticker.nanos();
    try {
      Fetcher.Page page = asked.fetch(url, target.timeoutMs());
      double seconds = (ticker.nanos() - begin) / 1e9;
      byte[] body = Arrays.copyOf(page.body(), page.length());
      return new Page(url.toString(), body, page.contentType(), dateMs(page.date()), seconds);
    } catch (ScrapeException e) {
      return new Failure(url.toString(), e.reason(), e.sentence(), e.said());
    }
  }

  private static @Nullable Long dateMs(@Nullable String date) {
    if (date == null) {
      return null;
    }
    try {
      return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException e) {
      return null;
    }
  }

  /**
   * The labels under which the sample that the parser is at would be stored; null if relabeling or
   * a limit of the job leaves it out.
   */
  public @Nullable Labels stored(ExpositionParser parser) {
    try {
      return labels.of(parser);
    } catch (ScrapeException e) {
      return null;
    }
  }

  @Override
  public void close() {
    if (client != null) {
      client.close();
      client.release();
    }
  }
}
