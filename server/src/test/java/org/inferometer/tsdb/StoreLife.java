package org.inferometer.tsdb;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.inferometer.histogram.NativeHistogram;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.AppendOutcome;
import org.inferometer.store.Appender;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.chunk.RandomHistograms;
import org.inferometer.tsdb.wal.WalOptions;

/**
 * A store on a {@link SimulatedDisk} that lives through a script: scrapes, late samples, cuts,
 * compactions, retention, deletions, restarts. What it must have is in {@link #model}. The same
 * seed gives the same life.
 */
final class StoreLife {
  static final Path FOLDER = Path.of("/data");
  static final long SCRAPE_MS = 10_000;
  static final long BLOCK_MS = 240_000;
  private static final long BLOCK_MS_MAX = 9 * BLOCK_MS;
  private static final long RETENTION_MS = 14 * BLOCK_MS;
  private static final long LATE_MS = 60_000;
  private static final int LATE_SPREAD_MS = 50_000;

  /** A multiple of the longest block. */
  static final long START_MS = BLOCK_MS_MAX * 700_000;

  private static final int SERIES = 6;
  private static final int HISTOGRAM_SERIES = SERIES - 1;

  final StoreModel model = new StoreModel();
  final List<String> messages = new ArrayList<>();
  private final long seed;
  private final Random random;
  private final RandomHistograms histograms;
  private final boolean compress;
  private SimulatedDisk disk;
  private Store store;
  private long nowMs = START_MS;
  private final Map<Integer, Place> placeByEvent = new HashMap<>();
  private int step;
  private boolean isOpen = true;

  /** One thing that happens; may be tried again if it fails. */
  record Action(String name, Body body) {
    @Override
    public String toString() {
      return name;
    }
  }

  @FunctionalInterface
  interface Body {
    void run() throws IOException;
  }

  StoreLife(long seed) {
    this.seed = seed;
    this.random = new Random(seed);
    this.histograms = new RandomHistograms(random);
    this.compress = random.nextBoolean();
    this.disk = new SimulatedDisk(seed);
    this.store = open(disk, messages::add);
    makeLast();
  }

  SimulatedDisk disk() {
    return disk;
  }

  Store store() {
    return store;
  }

  long nowMs() {
    return nowMs;
  }

  /** What happened up to now, for messages. */
  String where() {
    return "seed %d, step %d, t %d ms\n%s".formatted(seed, step, nowMs - START_MS, disk.log());
  }

  static StoreOptions options(boolean compress) {
    HeadOptions head = new HeadOptions(RETENTION_MS, BLOCK_MS, LATE_MS, 600_000, 1_000, 64_000_000);
    return new StoreOptions(
        FOLDER,
        false,
        RETENTION_MS,
        0,
        BLOCK_MS,
        BLOCK_MS_MAX,
        head,
        new WalOptions(WalOptions.PAGE_BYTES, compress));
  }

  /** Opens what is on a disk at the time of this life. */
  Store open(SimulatedDisk on, Consumer<String> log) {
    return Store.open(options(compress), on, () -> nowMs, log, new SplittableRandom(seed + step));
  }

  /** What happens in the next scrape interval. */
  List<Action> next() {
    step++;
    nowMs += SCRAPE_MS;
    List<Action> actions = new ArrayList<>();
    actions.add(scrape());
    if (step % 7 == 0) {
      actions.add(late());
    }
    if (step % 67 == 0) {
      actions.add(delete());
    }
    if (step % 3 == 0) {
      actions.add(maintenance());
    }
    if (step % 101 == 0) {
      actions.add(new Action("clean", () -> store.cleanTombstones()));
    }
    if (step % 83 == 0) {
      actions.add(new Action("restart", this::restart));
    }
    return actions;
  }

  private static Labels labels(int series, int generation) {
    return Labels.of("__name__", "m" + series % 3, "i", "v" + series, "g", "g" + generation);
  }

  /** The last two series are others after a while. */
  private Labels labels(int series) {
    return labels(series, series < SERIES - 2 ? 0 : step / 90);
  }

  private Action scrape() {
    List<StoreModel.Sample> samples = new ArrayList<>();
    for (int i = 0; i < SERIES; i++) {
      NativeHistogram histogram = i == HISTOGRAM_SERIES ? histograms.next() : null;
      double value = i == 0 ? step : random.nextInt(3) == 0 ? random.nextDouble() : i;
      samples.add(new StoreModel.Sample(labels(i), nowMs - i, value, histogram));
    }
    return new Action("scrape", () -> append(samples));
  }

  private Action late() {
    List<StoreModel.Sample> samples = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long t = nowMs - 10 - random.nextInt(LATE_SPREAD_MS);
      samples.add(new StoreModel.Sample(labels(i), t / 10 * 10 + 5, -step, null));
    }
    return new Action("late", () -> append(samples));
  }

  private void append(List<StoreModel.Sample> samples) {
    Appender appender = store.appender();
    List<StoreModel.Sample> taken = new ArrayList<>();
    for (StoreModel.Sample sample : samples) {
      long ref = appender.series(sample.labels());
      AppendOutcome outcome =
          sample.histogram() == null
              ? appender.append(ref, sample.timestampMs(), sample.value())
              : appender.append(ref, sample.timestampMs(), sample.histogram());
      if (outcome == AppendOutcome.ACCEPTED) {
        taken.add(sample);
      } else if (outcome == AppendOutcome.NO_ROOM || outcome == AppendOutcome.UNKNOWN_SERIES) {
        throw new AssertionError(sample + ": " + outcome);
      }
    }
    int before = model.size();
    model.begin(taken);
    try {
      appender.commit();
    } catch (StoreException e) {
      model.fail();
      throw e;
    }
    model.commit();
    for (int i = before; i < model.size(); i++) {
      placeByEvent.put(i, endOfWal());
    }
  }

  /** Where a log ends that is written: the path of its last segment, and its size. */
  record Place(String segment, long offset) {
    boolean isUpTo(Path file, long position) {
      int order = segment.compareTo(file.toString());
      return order < 0 || (order == 0 && offset <= position);
    }
  }

  private static boolean isSegment(Path path) {
    return path.toString().matches(".*wal/\\d{8}");
  }

  private Place endOfWal() {
    List<Path> files = disk.files(FOLDER.resolve("wal"));
    Path last = files.stream().filter(StoreLife::isSegment).max(Path::compareTo).orElseThrow();
    return new Place(last.toString(), disk.bytes(last).length);
  }

  /** Where the log ended when an event was acknowledged. */
  Place place(int event) {
    return placeByEvent.getOrDefault(event, new Place("", 0));
  }

  /** Where the log ended after each commit. */
  Set<Place> places() {
    return Set.copyOf(placeByEvent.values());
  }

  private Action delete() {
    Matcher matcher = Matcher.equal("i", "v" + random.nextInt(SERIES));
    long fromMs = nowMs - random.nextLong(2 * BLOCK_MS);
    long toMs = fromMs + random.nextLong(BLOCK_MS);
    return new Action(
        "delete",
        () -> {
          model.beginDelete(matcher, fromMs, Math.min(toMs, nowMs));
          store.delete(List.of(matcher), fromMs, Math.min(toMs, nowMs));
          model.commit();
        });
  }

  /** A try that failed is repeated at once if the clock was put back. */
  private Action maintenance() {
    int[] tries = new int[1];
    return new Action(
        "maintain",
        () -> {
          int before = model.size();
          store.maintain(nowMs - tries[0]++);
          if (store.stats().trouble().isEmpty()) {
            model.makeLast(before);
            model.expire(nowMs - RETENTION_MS);
          }
        });
  }

  /** May leave no store that is open: see {@link #recover}. */
  private void restart() {
    recover();
    isOpen = false;
    store.close();
    makeLast();
    recover();
  }

  boolean isOpen() {
    return isOpen;
  }

  /** Opens the store if that wasn't possible before. */
  void recover() {
    if (!isOpen) {
      store = open(disk, messages::add);
      isOpen = true;
    }
  }

  private void makeLast() {
    model.makeLast(model.size());
  }

  /** Takes a sample of a series whose name fills a page of the log, however it is compressed. */
  void appendLarge() {
    byte[] text = new byte[WalOptions.PAGE_BYTES];
    random.nextBytes(text);
    String value = new String(text, StandardCharsets.ISO_8859_1);
    append(List.of(new StoreModel.Sample(Labels.of("__name__", "m", "i", value), nowMs, 1, null)));
  }

  /** Has a store that isn't this life's take a sample of a series of its own and do its work. */
  void tryOut(Store other) {
    Appender appender = other.appender();
    long ref = appender.series(Labels.of("__name__", "", "other", "one"));
    if (appender.append(ref, nowMs, step) != AppendOutcome.ACCEPTED) {
      throw new AssertionError("expected that a sample is taken");
    }
    appender.commit();
    other.maintain(nowMs);
  }

  /** Lets a number of steps happen. */
  void run(int steps) throws IOException {
    for (int i = 0; i < steps; i++) {
      for (Action action : next()) {
        action.body().run();
      }
    }
  }

  /** Closes the store of a life that is over, which need not be possible. */
  void end() {
    try {
      store.close();
    } catch (StoreException e) {
      messages.add(String.valueOf(e.getMessage()));
    }
  }
}
