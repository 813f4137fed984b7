package org.inferometer.app;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.app.SampleText.SeriesFileText;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.promql.ParseException;
import org.inferometer.promql.Parser;
import org.inferometer.store.Querier;
import org.inferometer.store.Queryable;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.Store;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code inferometer tsdb dump}: all samples as text. */
@Command(
    name = "dump",
    description = "Writes all samples of a data directory as text, series by series.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "As text a line is a label set, a value, and milliseconds since 1970; as",
      "openmetrics it is a series file, which tsdb import reads, and promtool's",
      "tsdb create-blocks-from openmetrics.",
      "",
      "Examples:",
      "  inferometer tsdb dump | head",
      "  inferometer tsdb dump --match 'up{job=\"node\"}' --min-time now-1h",
      "  inferometer tsdb dump /var/lib/prometheus --format openmetrics > all.om"
    })
final class TsdbDumpCommand extends FolderCommand {
  /** How samples are written. */
  enum DumpFormat {
    text,
    openmetrics
  }

  @Option(
      names = "--match",
      paramLabel = "SELECTOR",
      description = "Only series that pass this one, or another --match; all if not given.")
  private List<String> selectors = new ArrayList<>();

  @Option(
      names = "--min-time",
      paramLabel = "TIME",
      description = "Only samples from then on: Unix seconds, RFC 3339, or now-1h.")
  private @Nullable String minTime;

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      description = "Only samples up to then, and at it.")
  private @Nullable String maxTime;

  @Option(
      names = "--format",
      paramLabel = "text|openmetrics",
      description = "How samples are written; ${DEFAULT-VALUE} if not given.")
  private DumpFormat format = DumpFormat.text;

  private final WallClock clock;

  TsdbDumpCommand(Console console, Disk disk, WallClock clock) {
    super(console, disk);
    this.clock = clock;
  }

  @Override
  int run() throws IOException {
    List<List<Matcher>> selections = selections();
    long minMs = time("--min-time", minTime, Long.MIN_VALUE);
    long maxMs = time("--max-time", maxTime, Long.MAX_VALUE);
    try (Store store = ReadOnlyStore.open(console, disk, folder, clock)) {
      return dump(store, selections, minMs, maxMs);
    }
  }

  private long time(String option, @Nullable String text, long absent) {
    return text == null ? absent : Times.parseMs(option, text, clock.nowMs());
  }

  private List<List<Matcher>> selections() {
    if (selectors.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Matcher>> selections = new ArrayList<>();
    for (String selector : selectors) {
      try {
        selections.add(Parser.parseSelector(selector));
      } catch (ParseException e) {
        throw CommandException.badInput("--match: " + e.getMessage());
      }
    }
    return selections;
  }

  private int dump(Queryable store, List<List<Matcher>> selections, long minMs, long maxMs)
      throws IOException {
    try (Querier querier = store.querier(minMs, maxMs)) {
      OutputStream out = new CheckedStream(console.out());
      switch (format) {
        case text -> write(querier, selections, SampleText.dump(out));
        case openmetrics -> writeByMetric(querier, selections, SampleText.openMetrics(out));
      }
      List<String> warnings = querier.warnings();
      warnings.forEach(console::problem);
      return warnings.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
    }
  }

  private static void write(Querier querier, List<List<Matcher>> selections, SampleText text)
      throws IOException {
    MetricByMetric.writeAll(querier, selections, text);
    text.finish();
  }

  private void writeByMetric(Querier querier, List<List<Matcher>> selections, SeriesFileText text)
      throws IOException {
    MetricByMetric.write(querier, selections, text);
    text.finish();
    note(text.histograms(), "native histogram");
    note(text.stale(), "staleness marker");
    note(querier.select(List.of(Matcher.equal(Labels.NAME, ""))).size(), "nameless series");
  }

  private void note(long count, String what) {
    if (count > 0) {
      console.say(Amounts.count(count, what) + " left out: OpenMetrics text has none");
    }
  }
}
