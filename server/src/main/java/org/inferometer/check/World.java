package org.inferometer.check;

import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.query.QueryValue;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.time.Ticker;

/** The scrapes of one endpoint as series that can be asked in PromQL. Thread-safe. */
final class World {
  private final MemorySeries series = new MemorySeries();
  private final LocalQueryService queries;
  private final Labels target;
  private final long nowMs;
  private final long windowMs;

  World(Labels target, Taken.Scraped taken, Ticker ticker) {
    this.target = target;
    this.nowMs = taken.last().timeMs();
    // The start of a window is outside of it; a millisecond more takes the first scrape in.
    this.windowMs = taken.isMoving() ? taken.apartMs() + 1 : 60_000;
    taken.scrapes().forEach(this::add);
    this.queries =
        new LocalQueryService(series, MetadataSource.none(), EngineOptions.DEFAULT, ticker);
  }

  private void add(Scrape scrape) {
    long timeMs = scrape.timeMs();
    scrape.page().values.forEach((labels, value) -> series.add(labels, timeMs, value));
    scrape.page().histograms.forEach((labels, value) -> series.add(labels, timeMs, value));
    report("up", timeMs, 1);
    if (scrape.seconds() > 0) {
      // A saved page took no time that means anything.
      report("scrape_duration_seconds", timeMs, scrape.seconds());
    }
    report("scrape_samples_scraped", timeMs, scrape.page().samples);
    report("scrape_samples_post_metric_relabeling", timeMs, scrape.page().series());
  }

  private void report(String name, long timeMs, double value) {
    series.add(target.with(Labels.NAME, name), timeMs, value);
  }

  QueryService queries() {
    return queries;
  }

  /** The time of the last scrape, at which everything is asked. */
  long nowMs() {
    return nowMs;
  }

  /** A window that reaches from the last scrape over the first, so that a rate is neither cut. */
  long windowMs() {
    return windowMs;
  }

  String job() {
    return target.get("job");
  }

  String instance() {
    return target.get("instance");
  }

  /** The series that a query gives now. */
  List<QueryValue.Element> ask(String query) throws QueryException {
    QueryValue value = queries.instant(new QueryService.InstantQuery(query, nowMs)).value();
    return switch (value) {
      case QueryValue.Vector vector -> vector.elements();
      case QueryValue.Scalar ignored -> List.of();
      case QueryValue.Matrix ignored -> List.of();
      case QueryValue.Text ignored -> List.of();
    };
  }
}
