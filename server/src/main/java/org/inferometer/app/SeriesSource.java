package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import org.inferometer.backend.BackendAddress;
import org.inferometer.backend.RemoteQueryService;
import org.inferometer.io.Disk;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryService;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Queryable;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;

/**
 * Where series come from that a command looks at.
 *
 * @param now the time that {@code now} stands for; says so if it isn't the present
 * @param closing gives back what it holds
 */
record SeriesSource(QueryService queries, LongSupplier now, Runnable closing)
    implements AutoCloseable {

  /** A data directory. */
  static SeriesSource ofData(
      Console console, Disk disk, Path folder, WallClock clock, Ticker ticker) throws IOException {
    Store store = ReadOnlyStore.open(console, disk, folder, clock);
    return local(
        store,
        ticker,
        () -> now(console, folder.toString(), store.stats().maxMs(), clock),
        store::close);
  }

  /** A series file as it is, or standard input as {@code -}, which is read into memory. */
  static SeriesSource ofSeriesFile(Console console, String file, WallClock clock, Ticker ticker)
      throws IOException {
    return ofSeriesFile(console, file, clock, ticker, false);
  }

  /** The same as if it had been scraped: what a scrape adds and the file lacks is made up for. */
  static SeriesSource ofScrapedFile(Console console, String file, WallClock clock, Ticker ticker)
      throws IOException {
    return ofSeriesFile(console, file, clock, ticker, true);
  }

  private static SeriesSource ofSeriesFile(
      Console console, String file, WallClock clock, Ticker ticker, boolean isScraped)
      throws IOException {
    try (InputStream in = file.equals("-") ? console.in() : open(Path.of(file))) {
      LoadedSeries loaded = new LoadedSeries(isScraped);
      new SeriesFile(file.equals("-") ? "standard input" : file).read(in, loaded, _ -> {});
      loaded.complete();
      return local(
          loaded.series(), ticker, () -> now(console, file, loaded.maxMs(), clock), () -> {});
    }
  }

  /** What a snapshot holds; its last scrape is now, whatever the time is. */
  static SeriesSource ofSnapshot(Snapshot snapshot, Ticker ticker) {
    return local(SnapshotReplay.of(snapshot), ticker, snapshot::endMs, () -> {});
  }

  /** A server with Prometheus's HTTP API. */
  static SeriesSource ofServer(BackendAddress address, WallClock clock) {
    RemoteQueryService service = new RemoteQueryService(address);
    return new SeriesSource(service, clock::nowMs, service::close);
  }

  private static SeriesSource local(
      Queryable series, Ticker ticker, LongSupplier now, Runnable closing) {
    Executor direct = Runnable::run;
    LocalQueryService service =
        new LocalQueryService(
            series,
            MetadataSource.none(),
            EngineOptions.DEFAULT,
            ticker,
            direct,
            ForkJoinPool.commonPool(),
            Runtime.getRuntime().availableProcessors());
    return new SeriesSource(service, now, closing);
  }

  private static InputStream open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw CommandException.badInput(
          file + (Files.exists(file) ? ": expected a file" : ": no such file"));
    }
    return Files.newInputStream(file);
  }

  /** Of what was recorded before there is no present; its end stands for that. */
  private static long now(Console console, String what, long newestMs, WallClock clock) {
    long nowMs = clock.nowMs();
    if (newestMs == Long.MIN_VALUE) {
      console.say(what + ": no samples");
      return nowMs;
    }
    if (newestMs >= nowMs) {
      return nowMs;
    }
    console.say("now is " + Amounts.time(newestMs) + ", the time of the newest sample");
    return newestMs;
  }

  long nowMs() {
    return now.getAsLong();
  }

  @Override
  public void close() {
    closing.run();
  }
}
