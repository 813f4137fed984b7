package org.inferometer.remote;

import com.google.re2j.PatternSyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.store.SampleColumns;
import org.inferometer.store.Series;

/**
 * Answers remote reads: the messages {@code prometheus.ReadRequest} and {@code ReadResponse} with
 * raw samples, staleness markers included. Streamed chunks aren't offered; the protocol has clients
 * fall back to samples. Thread-safe. Source: prometheus/prometheus, {@code prompb/remote.proto}.
 */
public final class RemoteReader {
  /** Of a sample in an answer. */
  private static final int SAMPLE_BYTES = 20;

  /**
   * Samples of one answer. It is made as a whole, and takes four times its size while it is made:
   * so it may be a hundredth of the heap.
   */
  public static final int SAMPLES_MAX =
      (int) Math.min(2_000_000, Runtime.getRuntime().maxMemory() / 100 / SAMPLE_BYTES);

  /** Of labels in an answer, besides as many as samples may have. */
  private static final int LABEL_BYTES = 64 * 1024;

  /** Queries of one request; Prometheus sends one. */
  private static final int QUERIES_MAX = 100;

  private static final int SAMPLES_RESPONSE = 0;

  /** Times are kept within 28 million years of 1970, so that sums of times don't overflow. */
  private static final long TIME_BOUND_MS = 900_000_000_000_000_000L;

  private static final Matcher.Type[] TYPES = {
    Matcher.Type.EQUAL, Matcher.Type.NOT_EQUAL, Matcher.Type.REGEX, Matcher.Type.NOT_REGEX
  };

  private final Queryable store;
  private final int samplesMax;

  private record Query(long startMs, long endMs, List<Matcher> matchers) {}

  public RemoteReader(Queryable store) {
    this(store, SAMPLES_MAX);
  }

  RemoteReader(Queryable store, int samplesMax) {
    this.store = store;
    this.samplesMax = samplesMax;
  }

  /**
   * @param externalLabels of everything that leaves this server: added to series that lack them,
   *     and taken out of questions for them
   * @return a snappy block with the response
   * @throws RemoteException if the request isn't such a message, or it asks for what isn't there or
   *     for too much
   */
  public byte[] read(Block request, Labels externalLabels) throws RemoteException {
    List<Query> queries;
    try {
      queries = queries(new ProtoReader(request.message()));
    } catch (ProtoException e) {
      throw new RemoteException("the body isn't a message prometheus.ReadRequest", e);
    }
    Response response = new Response(externalLabels);
    for (Query query : queries) {
      response.add(query);
    }
    return Snappy.compress(response.writer.array(), response.writer.size());
  }

  private static List<Query> queries(ProtoReader request) throws ProtoException, RemoteException {
    List<Query> queries = new ArrayList<>();
    List<Long> accepted = new ArrayList<>();
    while (request.next()) {
      switch (request.field()) {
        case 1 -> queries.add(query(request.message()));
        case 2 -> request.varints(accepted::add);
        default -> {}
      }
      if (queries.size() > QUERIES_MAX || accepted.size() > QUERIES_MAX) {
        throw new RemoteException("more than " + QUERIES_MAX + " queries or response types");
      }
    }
    if (!accepted.isEmpty() && !accepted.contains((long) SAMPLES_RESPONSE)) {
      throw new RemoteException(
          "server does not support any of the requested response types; supported: SAMPLES");
    }
    return queries;
  }

  private static Query query(ProtoReader query) throws ProtoException, RemoteException {
    long startMs = 0;
    long endMs = 0;
    List<Matcher> matchers = new ArrayList<>();
    while (query.next()) {
      switch (query.field()) {
        case 1 -> startMs = bounded(query.varint());
        case 2 -> endMs = bounded(query.varint());
        case 3 -> matchers.add(matcher(query.message()));
        default -> {}
      }
    }
    return new Query(startMs, endMs, matchers);
  }

  private static long bounded(long timeMs) {
    return Math.clamp(timeMs, -TIME_BOUND_MS, TIME_BOUND_MS);
  }

  private static Matcher matcher(ProtoReader matcher) throws ProtoException, RemoteException {
    long type = 0;
    String name = "";
    String value = "";
    while (matcher.next()) {
      switch (matcher.field()) {
        case 1 -> type = matcher.varint();
        case 2 -> name = matcher.string();
        case 3 -> value = matcher.string();
        default -> {}
      }
    }
    if (type < 0 || type >= TYPES.length) {
      throw new RemoteException("invalid matcher type: " + type);
    }
    try {
      return new Matcher(TYPES[(int) type], name, value);
    } catch (PatternSyntaxException e) {
      throw new RemoteException("invalid matcher of " + name + ": " + e.getMessage());
    }
  }

  /** One response while it is made. */
  private final class Response {
    final ProtoWriter writer = new ProtoWriter(64 * 1024);
    private final Labels externalLabels;
    private final SampleColumns columns = new SampleColumns();
    private long samples;

    Response(Labels externalLabels) {
      this.externalLabels = externalLabels;
    }

    void add(Query query) throws RemoteException {
      List<Matcher> matchers = new ArrayList<>(query.matchers());
      matchers.removeIf(this::isExternal);
      if (query.endMs() < query.startMs()) {
        throw new RemoteException("the end is before the start");
      }
      try (Querier querier = store.querier(query.startMs(), query.endMs())) {
        List<Series> selected = querier.select(matchers);
        boolean[] isWhole = new boolean[1];
        writer.message(1, result -> isWhole[0] = write(result, selected, query));
        if (!isWhole[0]) {
          throw new RemoteException(
              "exceeded sample limit (" + samplesMax + "); ask for less time or fewer series");
        }
      }
    }

    private boolean isExternal(Matcher matcher) {
      return matcher.type() == Matcher.Type.EQUAL
          && externalLabels.has(matcher.name())
          && externalLabels.get(matcher.name()).equals(matcher.value());
    }

    /** False if the limit on samples is reached. */
    private boolean write(ProtoWriter result, List<Series> selected, Query query) {
      for (Series series : selected) {
        columns.clear();
        series.read(query.startMs(), query.endMs(), columns);
        samples += columns.sampleEquivalents();
        if (samples > samplesMax) {
          return false;
        }
        if (columns.size() > 0) {
          result.message(1, timeSeries -> write(timeSeries, series.labels()));
        }
        if (result.size() > bytesMax()) {
          return false;
        }
      }
      return true;
    }

    /** Labels may take more than samples. */
    private long bytesMax() {
      return LABEL_BYTES + 2L * SAMPLE_BYTES * samplesMax;
    }

    private void write(ProtoWriter timeSeries, Labels labels) {
      Labels.Builder all = externalLabels.toBuilder();
      labels.forEach(all::set);
      all.build()
          .forEach(
              (name, value) ->
                  timeSeries.message(1, label -> label.string(1, name).string(2, value)));
      for (int i = 0; i < columns.size(); i++) {
        long timestampMs = columns.timestampMs(i);
        var histogram = columns.histogram(i);
        if (histogram == null) {
          double value = columns.value(i);
          timeSeries.message(2, sample -> sample.float64(1, value).varint(2, timestampMs));
        } else {
          timeSeries.message(4, message -> HistogramProto.write(message, timestampMs, histogram));
        }
      }
    }
  }
}
