package org.inferometer.app;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.app.Table.Align;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.CorruptBlockException;
import org.inferometer.tsdb.chunk.CorruptChunkException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer tsdb analyze}: which labels make a block large. */
@Command(
    name = "analyze",
    description = "Tells which labels make a block large, and which come and go.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  inferometer tsdb analyze",
      "  inferometer tsdb analyze /var/lib/prometheus --limit 5 --extended",
      "  inferometer tsdb analyze ./inferometer-data 01JA3V6Y3T8M2Q4N5W7X9Z0BCD"
    })
final class TsdbAnalyzeCommand extends FolderCommand {
  private static final int WIDTH_MAX = 80;
  private static final int BAR_MAX = 40;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "BLOCK",
      description = "The block, or the beginning of its name; the last one if not given.")
  private @Nullable String wanted;

  @Option(
      names = "--limit",
      paramLabel = "NUMBER",
      description = "Lines of each list; ${DEFAULT-VALUE} if not given.")
  private int limit = 20;

  @Option(names = "--extended", description = "Also tells how full the chunks are.")
  private boolean extended;

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "Lists, or JSON; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  TsdbAnalyzeCommand(Console console, Disk disk) {
    super(console, disk);
  }

  @Override
  int run() throws IOException {
    if (limit < 0) {
      throw CommandException.badInput("--limit: expected 0 or more, got " + limit);
    }
    Path path = block(DataFolder.look(disk, folder));
    try (Block block = Block.open(disk, path)) {
      BlockAnalysis analysis = BlockAnalysis.of(block, extended);
      if (format == OutputFormat.json) {
        console.out().println(JsonText.of(json -> write(json, block.meta(), analysis)));
      } else {
        print(block.meta(), analysis);
      }
      return ExitCode.OK;
    } catch (CorruptBlockException | CorruptChunkException e) {
      throw CommandException.failed(String.valueOf(e.getMessage()), e);
    }
  }

  private Path block(DataFolder data) throws IOException {
    if (data.blocks().isEmpty()) {
      throw CommandException.badInput(folder + ": no blocks");
    }
    if (wanted == null) {
      return last(data.blocks());
    }
    List<Path> named =
        data.blocks().stream()
            .filter(path -> String.valueOf(path.getFileName()).startsWith(wanted))
            .toList();
    if (named.size() != 1) {
      throw CommandException.badInput(
          "%s: %s \"%s\"; inferometer tsdb list shows the blocks"
              .formatted(folder, named.isEmpty() ? "no block" : "more than one block", wanted));
    }
    return named.getFirst();
  }

  /** The one that begins last; those that can't be opened are passed over. */
  private Path last(List<Path> paths) throws IOException {
    Path last = paths.getLast();
    long lastMs = Long.MIN_VALUE;
    for (Path path : paths) {
      try (Block block = Block.open(disk, path)) {
        if (block.meta().minMs() >= lastMs) {
          last = path;
          lastMs = block.meta().minMs();
        }
      } catch (CorruptBlockException e) {
        console.problem(String.valueOf(e.getMessage()));
      }
    }
    return last;
  }

  private Map<String, List<BlockAnalysis.Item>> lists(BlockAnalysis analysis) {
    Map<String, List<BlockAnalysis.Item>> lists = new LinkedHashMap<>();
    lists.put("Label pairs most involved in churning", analysis.pairsByChurn(limit));
    lists.put("Label names most involved in churning", analysis.namesByChurn(limit));
    lists.put("Most common label pairs", analysis.pairsBySeries(limit));
    lists.put(
        "Label names with highest cumulative label value length",
        analysis.namesByValueBytes(limit));
    lists.put("Highest cardinality labels", analysis.namesByValues(limit));
    lists.put("Highest cardinality metric names", analysis.metricsBySeries(limit));
    return lists;
  }

  private void print(BlockMeta meta, BlockAnalysis analysis) {
    Table figures =
        new Table().column("BLOCK", Align.LEFT).column(meta.ulid().toString(), Align.LEFT);
    figures.row(List.of("From", Amounts.time(meta.minMs())));
    figures.row(List.of("Duration", Amounts.duration(meta.maxMs() - meta.minMs())));
    figures.row(List.of("Series", Long.toString(analysis.series())));
    figures.row(List.of("Label names", Long.toString(analysis.labelNames())));
    figures.row(List.of("Postings (unique label pairs)", Long.toString(analysis.pairs())));
    figures.row(
        List.of("Postings entries (total label pairs)", Long.toString(analysis.pairEntries())));
    figures.print(console);
    lists(analysis).forEach(this::printList);
    if (extended) {
      printFill(analysis.chunksByFill());
    }
  }

  private void printList(String title, List<BlockAnalysis.Item> items) {
    console.out().println();
    console.out().println(console.bold(title + ":"));
    int width = items.isEmpty() ? 0 : Long.toString(items.getFirst().count()).length();
    for (BlockAnalysis.Item item : items) {
      String count = Long.toString(item.count());
      String line = " ".repeat(width - count.length()) + count + " " + Printable.of(item.key());
      console.out().println(shortened(line));
    }
  }

  /** Label values may be of any length; JSON has them whole. */
  private static String shortened(String line) {
    return line.codePointCount(0, line.length()) <= WIDTH_MAX
        ? line
        : line.substring(0, line.offsetByCodePoints(0, WIDTH_MAX - 3)) + "...";
  }

  private void printFill(long[] chunks) {
    long total = 0;
    for (long count : chunks) {
      total += count;
    }
    console.out().println();
    console.out().println(console.bold("Fullness of chunks (100 % is 120 samples):"));
    for (int i = 0; i < chunks.length; i++) {
      double share = total == 0 ? 0 : (double) chunks[i] / total;
      String bar = "#".repeat((int) Math.round(share * BAR_MAX));
      console
          .out()
          .println(
              "up to %3d %%  %10d chunks  %s"
                  .formatted((i + 1) * 100 / chunks.length, chunks[i], bar)
                  .stripTrailing());
    }
  }

  private void write(JsonGenerator json, BlockMeta meta, BlockAnalysis analysis)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("ulid", meta.ulid().toString());
    json.writeNumberField("minTime", meta.minMs());
    json.writeNumberField("maxTime", meta.maxMs());
    json.writeNumberField("series", analysis.series());
    json.writeNumberField("labelNames", analysis.labelNames());
    json.writeNumberField("labelPairs", analysis.pairs());
    json.writeNumberField("labelPairEntries", analysis.pairEntries());
    write(json, "labelPairsByChurn", analysis.pairsByChurn(limit));
    write(json, "labelNamesByChurn", analysis.namesByChurn(limit));
    write(json, "labelPairsBySeries", analysis.pairsBySeries(limit));
    write(json, "labelNamesByValueBytes", analysis.namesByValueBytes(limit));
    write(json, "labelNamesByValues", analysis.namesByValues(limit));
    write(json, "metricsBySeries", analysis.metricsBySeries(limit));
    if (extended) {
      json.writeFieldName("chunksByTenthsOfFullness");
      long[] chunks = analysis.chunksByFill();
      json.writeArray(chunks, 0, chunks.length);
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, List<BlockAnalysis.Item> items)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (BlockAnalysis.Item item : items) {
      json.writeStartObject();
      json.writeStringField("name", item.key());
      json.writeNumberField("count", item.count());
      json.writeEndObject();
    }
    json.writeEndArray();
  }
}
