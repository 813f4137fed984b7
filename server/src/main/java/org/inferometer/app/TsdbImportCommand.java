package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import org.inferometer.io.Disk;
import org.inferometer.io.DiskLock;
import org.inferometer.model.Labels;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.inferometer.tsdb.BlockImport;
import org.inferometer.tsdb.block.BlockMeta;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code inferometer tsdb import}: a series file into blocks. */
@Command(
    name = "import",
    description =
        "Reads OpenMetrics text with timestamps, in any order and of any length, into blocks of"
            + " two hours. They become visible together when all of the file was read.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "No server may have the directory open meanwhile.",
      "",
      "Examples:",
      "  inferometer tsdb import night.om",
      "  zcat night.om.gz | inferometer tsdb import - /var/lib/inferometer"
    })
final class TsdbImportCommand extends DataCommand {
  private static final long BLOCK_MS = 7_200_000;

  /** Of the heap, for samples; the rest is for the labels of the series and the file's pieces. */
  private static final int HEAP_PARTS = 6;

  @Parameters(index = "0", paramLabel = "FILE.om", description = "The file; - for standard input.")
  private String file = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "DIR",
      defaultValue = DEFAULT_FOLDER,
      description = "The data directory; ${DEFAULT-VALUE} if not given.")
  private Path folder = Path.of(DEFAULT_FOLDER);

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "How the outcome is told; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  private final WallClock clock;
  private final ProgressLines progress;
  private long samples;

  TsdbImportCommand(Console console, Disk disk, WallClock clock, Ticker ticker) {
    super(console, disk);
    this.clock = clock;
    this.progress = new ProgressLines(console, ticker);
  }

  @Override
  int run() throws IOException {
    boolean isNew = !disk.exists(folder);
    try (InputStream in = open();
        DiskLock _ = lock()) {
      load(in);
      return ExitCode.OK;
    } catch (IOException | RuntimeException e) {
      if (isNew) {
        disk.delete(folder);
      }
      throw e;
    }
  }

  private void load(InputStream in) throws IOException {
    String name = file.equals("-") ? "standard input" : file;
    try (BlockImport blocks = blocks()) {
      SeriesFile series = new SeriesFile(name);
      series.read(in, sink(blocks), bytes -> tellRead(name, bytes));
      progress.begin();
      BlockImport.Outcome outcome = blocks.finish(this::tellWritten);
      show(outcome, series.exemplars());
    }
  }

  private InputStream open() throws IOException {
    if (file.equals("-")) {
      return console.in();
    }
    Path path = Path.of(file);
    if (!Files.exists(path)) {
      throw CommandException.badInput(file + ": no such file");
    }
    if (Files.isDirectory(path)) {
      throw CommandException.badInput(file + ": expected a file, found a folder");
    }
    return Files.newInputStream(path);
  }

  /** A folder that is there has to be a data directory, or empty. */
  private DiskLock lock() throws IOException {
    if (disk.exists(folder)) {
      DataFolder.lookOrNew(disk, folder);
    }
    disk.createFolders(folder);
    DiskLock lock = disk.lock(folder.resolve("lock"));
    if (lock == null) {
      throw CommandException.failed(
          folder
              + ": another process has it open; stop that first, or import into another folder and"
              + " move the blocks over");
    }
    return lock;
  }

  private BlockImport blocks() {
    return new BlockImport(
        disk,
        folder,
        clock,
        RandomGenerator.getDefault(),
        BLOCK_MS,
        Runtime.getRuntime().maxMemory() / HEAP_PARTS);
  }

  private SeriesFile.Sink sink(BlockImport blocks) {
    return new SeriesFile.Sink() {
      @Override
      public int series(Labels labels) {
        return blocks.series(labels);
      }

      @Override
      public void sample(int series, long timestampMs, double value) throws IOException {
        if (!blocks.add(series, timestampMs, value)) {
          throw CommandException.badInput(
              "%s: expected samples of at most %d stretches of 2 h, found more"
                  .formatted(file, BlockImport.BLOCKS_MAX));
        }
        samples++;
      }
    };
  }

  private void tellRead(String name, long bytes) {
    if (progress.isDue()) {
      long total = file.equals("-") ? 0 : Path.of(file).toFile().length();
      String of = total == 0 ? "" : " of " + Amounts.bytes(total);
      progress.say(
          "%s: read %s%s, %d samples".formatted(name, Amounts.bytes(bytes), of, samples),
          bytes,
          total);
    }
  }

  private void tellWritten(long done, long total) {
    if (progress.isDue()) {
      progress.say("%s: wrote %d of %d samples".formatted(folder, done, total), done, total);
    }
  }

  private void show(BlockImport.Outcome outcome, long exemplars) {
    List<BlockMeta> blocks = outcome.blocks();
    if (format == OutputFormat.json) {
      console.out().println(json(outcome, exemplars));
    } else if (blocks.isEmpty()) {
      console.out().println(file + ": no samples, no blocks");
    } else {
      console
          .out()
          .println(
              "%s, %s, %s in %s"
                  .formatted(
                      Amounts.count(outcome.samples(), "sample"),
                      Amounts.count(outcome.series(), "series"),
                      Amounts.count(blocks.size(), "block"),
                      folder));
      console
          .out()
          .println(
              Amounts.time(blocks.getFirst().minMs())
                  + " to "
                  + Amounts.time(blocks.getLast().maxMs() - 1));
    }
    note(outcome.repeated(), "repeated a timestamp with the same value");
    note(outcome.contradicting(), "repeated a timestamp with another value; the first was kept");
    note(exemplars, "had an exemplar, which blocks don't hold");
  }

  private void note(long count, String what) {
    if (count > 0) {
      console.say(Amounts.count(count, "sample") + " " + what);
    }
  }

  private static String json(BlockImport.Outcome outcome, long exemplars) {
    return JsonText.of(
        json -> {
          json.writeStartObject();
          json.writeNumberField("samples", outcome.samples());
          json.writeNumberField("series", outcome.series());
          json.writeNumberField("repeated", outcome.repeated());
          json.writeNumberField("contradicting", outcome.contradicting());
          json.writeNumberField("exemplars", exemplars);
          json.writeArrayFieldStart("blocks");
          for (BlockMeta block : outcome.blocks()) {
            JsonText.block(json, block);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
