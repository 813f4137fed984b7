package org.inferometer.app;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.inferometer.app.DataFolder.Beside;
import org.inferometer.app.DataFolder.Kind;
import org.inferometer.app.Table.Align;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.CorruptBlockException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code inferometer tsdb list}: what is in a data directory. */
@Command(
    name = "list",
    description = "Lists the blocks of a data directory, and what lies beside them.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Samples of a block are before its MAX TIME. Exit code 1 if a block can't be",
      "opened.",
      "",
      "Examples:",
      "  inferometer tsdb list",
      "  inferometer tsdb list /var/lib/prometheus --format json"
    })
final class TsdbListCommand extends FolderCommand {
  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "Two lines a block, or JSON; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  TsdbListCommand(Console console, Disk disk) {
    super(console, disk);
  }

  /** A block that could be opened. */
  private record Entry(BlockMeta meta, long sizeBytes) {
    long durationMs() {
      return meta.maxMs() - meta.minMs();
    }
  }

  @Override
  int run() throws IOException {
    DataFolder data = DataFolder.look(disk, folder);
    List<Entry> entries = new ArrayList<>();
    List<String> problems = new ArrayList<>();
    for (Path path : data.blocks()) {
      try (Block block = Block.open(disk, path)) {
        entries.add(new Entry(block.meta(), block.sizeBytes()));
      } catch (CorruptBlockException e) {
        problems.add(String.valueOf(e.getMessage()));
      }
    }
    entries.sort(Comparator.comparingLong(e -> e.meta().minMs()));
    if (format == OutputFormat.json) {
      console.out().println(JsonText.of(json -> write(json, entries, data.beside(), problems)));
    } else {
      print(entries);
      printBeside(data.beside());
    }
    problems.forEach(console::problem);
    return problems.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
  }

  /** Two lines a block: all in one would be too wide. */
  private void print(List<Entry> entries) {
    if (entries.isEmpty()) {
      console.out().println("no blocks");
      return;
    }
    Table times =
        new Table()
            .column("BLOCK", Align.LEFT)
            .column("MIN TIME", Align.LEFT)
            .column("MAX TIME", Align.LEFT);
    Table figures =
        new Table()
            .column("  DURATION", Align.LEFT)
            .column("SAMPLES", Align.RIGHT)
            .column("CHUNKS", Align.RIGHT)
            .column("SERIES", Align.RIGHT)
            .column("SIZE", Align.RIGHT)
            .column("LEVEL", Align.RIGHT);
    for (Entry entry : entries) {
      BlockMeta meta = entry.meta();
      times.row(
          List.of(meta.ulid().toString(), Amounts.time(meta.minMs()), Amounts.time(meta.maxMs())));
      figures.row(
          List.of(
              "  " + Amounts.duration(entry.durationMs()),
              Long.toString(meta.stats().samples()),
              Long.toString(meta.stats().chunks()),
              Long.toString(meta.stats().series()),
              Amounts.bytes(entry.sizeBytes()),
              Integer.toString(meta.level())));
    }
    interleave(times.lines(), figures.lines());
  }

  private void interleave(List<String> first, List<String> second) {
    for (int i = 0; i < first.size(); i++) {
      console.out().println(i == 0 ? console.bold(first.get(i)) : first.get(i));
      console.out().println(i == 0 ? console.bold(second.get(i)) : second.get(i));
    }
  }

  private void printBeside(List<Beside> beside) {
    List<Beside> shown = beside.stream().filter(b -> b.kind() != Kind.SERVER).toList();
    if (shown.isEmpty()) {
      return;
    }
    console.out().println();
    Table table =
        new Table()
            .column("BESIDE", Align.LEFT)
            .column("FILES", Align.RIGHT)
            .column("SIZE", Align.RIGHT);
    for (Beside file : shown) {
      table.row(
          List.of(
              Printable.of(file.name()), Long.toString(file.files()), Amounts.bytes(file.bytes())));
    }
    table.print(console);
    for (Kind kind : Kind.values()) {
      String names =
          String.join(
              ", ",
              shown.stream()
                  .filter(b -> b.kind() == kind)
                  .map(b -> Printable.of(b.name()))
                  .toList());
      if (!names.isEmpty()) {
        console.say(names + ": " + kind.says());
      }
    }
  }

  private static void write(
      JsonGenerator json, List<Entry> entries, List<Beside> beside, List<String> problems)
      throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("blocks");
    for (Entry entry : entries) {
      json.writeStartObject();
      JsonText.blockFields(json, entry.meta());
      json.writeNumberField("durationMs", entry.durationMs());
      json.writeNumberField("sizeBytes", entry.sizeBytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("beside");
    for (Beside file : beside) {
      json.writeStartObject();
      json.writeStringField("name", file.name());
      json.writeStringField("kind", file.kind().name().toLowerCase(java.util.Locale.ROOT));
      json.writeNumberField("files", file.files());
      json.writeNumberField("bytes", file.bytes());
      json.writeEndObject();
    }
    json.writeEndArray();
    JsonText.texts(json, "problems", problems);
    json.writeEndObject();
  }
}
