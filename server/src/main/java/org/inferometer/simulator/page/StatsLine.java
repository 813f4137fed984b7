package org.inferometer.simulator.page;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.Measures;

/**
 * What vLLM writes of an engine to its standard output every ten seconds, in the layout of a
 * release. Called once an interval; it remembers what was counted at the last. Not thread-safe.
 *
 * <p>Nothing is written while no tokens passed in this interval and the one before, nor by several
 * API servers. An engine never says how many preemptions there were: it forgets them before it
 * would write them (vllm-project/vllm pull request 38452). Data-parallel engines have a line each,
 * or one together if the server is started so.
 */
public final class StatsLine {
  /** VLLM_LOG_STATS_INTERVAL's default. */
  public static final long INTERVAL_NS = 10_000_000_000L;

  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss");

  /** The first release of each layout. */
  private static final Version NAMES_PROCESS = Version.parse("0.10.2");

  private static final Version DRAFTS_BY_RATE = Version.parse("0.10.2");
  private static final Version EXTERNAL_CACHE = Version.parse("0.11.1");
  private static final Version COMPUTED_PROMPTS = Version.parse("0.16");
  private static final Version DEFERRED = Version.parse("0.20");

  /** A line of a source file that logs, from a release on; as logs of that release have it. */
  private record Line(Version since, int number) {}

  private static final List<Line> OF_STATS =
      List.of(
          line("0.24", 310),
          line("0.20", 271),
          line("0.19", 259),
          line("0.17", 257),
          line("0.13", 248),
          line("0.11.1", 236),
          line("0.11", 127),
          line("0.10.1", 122),
          line("0.9", 116),
          line("0.8", 111));

  private static final List<Line> OF_DRAFTS = List.of(line("0.20", 101), line("0.8", 86));

  private final Version release;
  private final boolean isSilent;
  private final int pid;
  private final long epochMs;
  private final boolean isAggregated;
  private final List<EngineLog> engines = new ArrayList<>();

  private static Line line(String since, int number) {
    return new Line(Version.parse(since), number);
  }

  /**
   * @param frontend as pages know it; only {@code python} writes lines
   * @param pid of the API server
   * @param epochMs the Unix time of the simulated moment 0
   */
  public StatsLine(Version release, String frontend, int pid, long epochMs) {
    this(release, frontend, pid, epochMs, false);
  }

  private StatsLine(Version release, String frontend, int pid, long epochMs, boolean isAggregated) {
    this.release = release;
    this.isSilent = !frontend.equals("python");
    this.pid = pid;
    this.epochMs = epochMs;
    this.isAggregated = isAggregated;
  }

  /** With one line for all engines, as with {@code --aggregate-engine-logging}. */
  public StatsLine aggregated() {
    return new StatsLine(release, isSilent ? "" : "python", pid, epochMs, true);
  }

  /**
   * The lines of the interval that ends now.
   *
   * @param measures of the data-parallel engines, in their order
   */
  public List<String> lines(List<Measures> measures, long nowNs) {
    List<String> lines = new ArrayList<>();
    if (isSilent || measures.isEmpty()) {
      return lines;
    }
    if (isAggregated) {
      log(0, measures.size() + " Engines Aggregated: ", measures, nowNs, lines);
    } else {
      for (int i = 0; i < measures.size(); i++) {
        log(i, "Engine " + "%03d".formatted(i) + ": ", List.of(measures.get(i)), nowNs, lines);
      }
    }
    return lines;
  }

  /** What started anew since is counted from its start. */
  private void log(
      int index, String name, List<Measures> measures, long nowNs, List<String> lines) {
    if (index == engines.size()) {
      engines.add(new EngineLog(name, measures));
    } else if (!engines.get(index).isOf(measures)) {
      engines.set(index, new EngineLog(name, measures));
    }
    engines.get(index).log(nowNs, lines);
  }

  private boolean isSince(Version first) {
    return !first.isAfter(release);
  }

  private String prefix(String file, List<Line> numbers, long nowNs) {
    int number =
        numbers.stream().filter(one -> isSince(one.since())).findFirst().orElseThrow().number();
    long ms = epochMs + nowNs / 1_000_000;
    LocalDateTime time = LocalDateTime.ofEpochSecond(Math.floorDiv(ms, 1000L), 0, ZoneOffset.UTC);
    String process = isSince(NAMES_PROCESS) ? "(APIServer pid=" + pid + ") " : "";
    return process + "INFO " + TIME.format(time) + " [" + file + ":" + number + "] ";
  }

  /** As C's printf does: the exact value, halves to even. */
  private static String fixed(double value, int digits) {
    return Double.isFinite(value)
        ? new BigDecimal(value).setScale(digits, RoundingMode.HALF_EVEN).toPlainString()
        : "nan";
  }

  private static String percent(double share) {
    return fixed(share * 100, 1) + "%";
  }

  /** What is remembered of one engine, or of several together. */
  private final class EngineLog {
    private final String name;
    private final List<Measures> measures;
    private final HitRate prefixCache = new HitRate();
    private final HitRate externalCache = new HitRate();
    private long lastNs;
    private double prompt;
    private double generation;
    private double lastPromptRate;
    private double lastGenerationRate;
    private double drafts;
    private double drafted;
    private double accepted;
    private double[] acceptedAt = new double[0];

    EngineLog(String name, List<Measures> measures) {
      this.name = name;
      this.measures = List.copyOf(measures);
      this.lastNs = measures.stream().mapToLong(Measures::startNs).min().orElse(0);
    }

    boolean isOf(List<Measures> others) {
      return measures.equals(others);
    }

    private double value(EngineQuantity quantity) {
      return measures.stream().mapToDouble(one -> one.value(quantity)).sum();
    }

    void log(long nowNs, List<String> lines) {
      double seconds = (nowNs - lastNs) / 1e9;
      lastNs = nowNs;
      double promptRate = promptRate(seconds);
      double generationRate = generationRate(seconds);
      boolean isIdle =
          promptRate == 0 && generationRate == 0 && lastPromptRate == 0 && lastGenerationRate == 0;
      lastPromptRate = promptRate;
      lastGenerationRate = generationRate;
      long requests = requests();
      prefixCache.add(
          requests,
          value(EngineQuantity.PREFIX_QUERY_TOKENS),
          value(EngineQuantity.PREFIX_HIT_TOKENS));
      externalCache.add(
          requests,
          value(EngineQuantity.EXTERNAL_QUERY_TOKENS),
          value(EngineQuantity.EXTERNAL_HIT_TOKENS));
      String speculation = speculation(seconds);
      if (!isIdle) {
        lines.add(prefix("loggers.py", OF_STATS, nowNs) + stats());
        if (!speculation.isEmpty()) {
          lines.add(prefix("metrics.py", OF_DRAFTS, nowNs) + speculation);
        }
      }
    }

    private long requests() {
      return measures.stream()
          .mapToLong(one -> one.distribution(EngineQuantity.TTFT).count())
          .sum();
    }

    /** Whole prompts once, and what was computed of them since. */
    private double promptRate(double seconds) {
      double now = value(EngineQuantity.PROMPT_TOKENS);
      if (isSince(COMPUTED_PROMPTS)) {
        now -= value(EngineQuantity.PROMPT_TOKENS_CACHED);
      }
      double rate = rate(now - prompt, seconds);
      prompt = now;
      return rate;
    }

    private double generationRate(double seconds) {
      double now = value(EngineQuantity.GENERATION_TOKENS);
      double rate = rate(now - generation, seconds);
      generation = now;
      return rate;
    }

    private static double rate(double rise, double seconds) {
      return seconds > 0 ? rise / seconds : 0;
    }

    private String stats() {
      List<String> parts = new ArrayList<>();
      parts.add("Avg prompt throughput: " + fixed(lastPromptRate, 1) + " tokens/s");
      parts.add("Avg generation throughput: " + fixed(lastGenerationRate, 1) + " tokens/s");
      parts.add("Running: " + count(EngineQuantity.RUNNING) + " reqs");
      parts.add("Waiting: " + count(EngineQuantity.WAITING) + " reqs");
      if (isSince(DEFERRED) && count(EngineQuantity.WAITING_DEFERRED) > 0) {
        parts.add("Deferred: " + count(EngineQuantity.WAITING_DEFERRED) + " reqs");
      }
      parts.add("GPU KV cache usage: " + percent(value(EngineQuantity.KV_USAGE) / measures.size()));
      parts.add("Prefix cache hit rate: " + percent(prefixCache.rate()));
      if (isSince(EXTERNAL_CACHE) && externalCache.hasSeenAny()) {
        parts.add("External prefix cache hit rate: " + percent(externalCache.rate()));
      }
      return name + String.join(", ", parts);
    }

    private long count(EngineQuantity quantity) {
      return (long) value(quantity);
    }

    /** Of the drafts in the interval; "" if there were none. */
    private String speculation(double seconds) {
      double newDrafts = value(EngineQuantity.SPEC_DRAFTS) - drafts;
      double newDrafted = value(EngineQuantity.SPEC_DRAFT_TOKENS) - drafted;
      double newAccepted = value(EngineQuantity.SPEC_ACCEPTED_TOKENS) - accepted;
      String rates = ratesByPosition(newDrafts);
      drafts += newDrafts;
      drafted += newDrafted;
      accepted += newAccepted;
      if (newDrafts == 0) {
        return "";
      }
      String acceptance = "raft acceptance rate: " + percent(newAccepted / newDrafted);
      String length = "Mean acceptance length: " + fixed(1 + newAccepted / newDrafts, 2);
      String counts =
          "Accepted: " + (long) newAccepted + " tokens, Drafted: " + (long) newDrafted + " tokens";
      String positions = "Per-position acceptance rate: " + rates;
      List<String> parts =
          isSince(DRAFTS_BY_RATE)
              ? List.of(
                  length,
                  "Accepted throughput: " + fixed(rate(newAccepted, seconds), 2) + " tokens/s",
                  "Drafted throughput: " + fixed(rate(newDrafted, seconds), 2) + " tokens/s",
                  counts,
                  positions,
                  "Avg D" + acceptance)
              : List.of("D" + acceptance, length, counts, positions);
      return "SpecDecoding metrics: " + String.join(", ", parts);
    }

    private int positions() {
      return measures.stream()
          .mapToInt(one -> one.labelled(EngineQuantity.SPEC_ACCEPTED_AT).size())
          .max()
          .orElse(0);
    }

    private double acceptedAt(int position) {
      String label = Integer.toString(position);
      return measures.stream()
          .mapToDouble(one -> one.value(EngineQuantity.SPEC_ACCEPTED_AT, label))
          .sum();
    }

    private String ratesByPosition(double newDrafts) {
      List<String> rates = new ArrayList<>();
      double[] now = new double[positions()];
      for (int i = 0; i < now.length; i++) {
        now[i] = acceptedAt(i);
        double before = i < acceptedAt.length ? acceptedAt[i] : 0;
        rates.add(fixed((now[i] - before) / newDrafts, 3));
      }
      acceptedAt = now;
      return String.join(", ", rates);
    }
  }
}
