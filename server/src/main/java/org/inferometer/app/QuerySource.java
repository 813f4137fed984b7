package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongSupplier;
import org.inferometer.api.QueryAnswer;
import org.inferometer.app.ServerClient.Answer;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.query.EngineOptions;
import org.inferometer.query.LocalQueryService;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryResult;
import org.inferometer.query.QueryService.InstantQuery;
import org.inferometer.query.QueryService.RangeQuery;
import org.inferometer.store.MemorySeries;
import org.inferometer.store.MetadataSource;
import org.inferometer.store.Queryable;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;

/** Who answers a query, in the words of Prometheus's HTTP API. */
sealed interface QuerySource extends AutoCloseable {
  /** The time that {@code now} stands for; says so if it isn't the present. */
  long nowMs();

  Answer instant(String query, long timeMs);

  Answer range(String query, long startMs, long endMs, long stepMs);

  @Override
  void close();

  /** A running server. */
  final class Server implements QuerySource {
    /** Left to the server, whose clock may be another. */
    static final long NOW = Long.MIN_VALUE;

    private final ServerClient client;
    private final WallClock clock;

    Server(URI address, WallClock clock) {
      this.client = new ServerClient(address);
      this.clock = clock;
    }

    @Override
    public long nowMs() {
      return clock.nowMs();
    }

    @Override
    public Answer instant(String query, long timeMs) {
      Map<String, String> form = new LinkedHashMap<>();
      form.put("query", query);
      if (timeMs != NOW) {
        form.put("time", seconds(timeMs));
      }
      return client.post("/api/v1/query", form);
    }

    @Override
    public Answer range(String query, long startMs, long endMs, long stepMs) {
      Map<String, String> form = new LinkedHashMap<>();
      form.put("query", query);
      form.put("start", seconds(startMs));
      form.put("end", seconds(endMs));
      form.put("step", seconds(stepMs));
      return client.post("/api/v1/query_range", form);
    }

    private static String seconds(long ms) {
      return ms / 1000 + "." + "%03d".formatted(ms % 1000);
    }

    @Override
    public void close() {}
  }

  /** Series that are read here. */
  final class Local implements QuerySource {
    private final Runnable closing;
    private final LongSupplier nowMs;
    private final LocalQueryService service;

    private Local(Queryable series, Runnable closing, LongSupplier nowMs, Ticker ticker) {
      this.closing = closing;
      this.nowMs = nowMs;
      Executor direct = Runnable::run;
      this.service =
          new LocalQueryService(
              series,
              MetadataSource.none(),
              EngineOptions.DEFAULT,
              ticker,
              direct,
              ForkJoinPool.commonPool(),
              Runtime.getRuntime().availableProcessors());
    }

    /** A data directory. */
    static Local ofData(Console console, Disk disk, Path folder, WallClock clock, Ticker ticker)
        throws IOException {
      Store store = ReadOnlyStore.open(console, disk, folder, clock);
      return new Local(
          store,
          store::close,
          () -> now(console, folder.toString(), store.stats().maxMs(), clock),
          ticker);
    }

    /** A series file, which is read into memory. */
    static Local ofSeriesFile(Console console, String file, WallClock clock, Ticker ticker)
        throws IOException {
      try (InputStream in = file.equals("-") ? console.in() : open(Path.of(file))) {
        Filling filling = new Filling();
        new SeriesFile(file.equals("-") ? "standard input" : file).read(in, filling, _ -> {});
        return new Local(
            filling.series, () -> {}, () -> now(console, file, filling.maxMs, clock), ticker);
      }
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

    @Override
    public long nowMs() {
      return nowMs.getAsLong();
    }

    @Override
    public Answer instant(String query, long timeMs) {
      return answer(() -> service.instant(new InstantQuery(query, timeMs)));
    }

    @Override
    public Answer range(String query, long startMs, long endMs, long stepMs) {
      return answer(() -> service.range(new RangeQuery(query, startMs, endMs, stepMs)));
    }

    /** Asks for a result. */
    private interface Question {
      QueryResult ask() throws QueryException;
    }

    private static Answer answer(Question question) {
      try {
        return new Answer(200, QueryAnswer.of(question.ask()));
      } catch (QueryException e) {
        return new Answer(422, QueryAnswer.of(e));
      }
    }

    @Override
    public void close() {
      closing.run();
    }
  }

  /** Puts a series file into memory. */
  final class Filling implements SeriesFile.Sink {
    private final MemorySeries series = new MemorySeries();
    private final List<Labels> labels = new ArrayList<>();
    private long maxMs = Long.MIN_VALUE;

    @Override
    public int series(Labels newLabels) {
      labels.add(newLabels);
      return labels.size() - 1;
    }

    @Override
    public void sample(int id, long timestampMs, double value) {
      series.add(labels.get(id), timestampMs, value);
      maxMs = Math.max(maxMs, timestampMs);
    }
  }
}
