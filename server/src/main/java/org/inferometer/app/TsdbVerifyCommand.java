package org.inferometer.app;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.app.DataFolder.Beside;
import org.inferometer.app.DataFolder.Kind;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.block.Block;
import org.inferometer.tsdb.block.BlockMeta;
import org.inferometer.tsdb.block.BlockReport;
import org.inferometer.tsdb.block.CorruptBlockException;
import org.inferometer.tsdb.wal.WalDamage;
import org.inferometer.tsdb.wal.WalReader;
import org.inferometer.tsdb.wal.WalRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code inferometer tsdb verify}: whether all of a data directory can be read. */
@Command(
    name = "verify",
    description =
        "Reads all blocks and logs of a data directory and tells what is damaged. Changes"
            + " nothing.",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    footer = {
      "",
      "Exit code 1 if something was found. While a server has the directory open, the",
      "end of its log may be half written, and files may go away.",
      "",
      "Example:",
      "  inferometer tsdb verify /var/lib/prometheus"
    })
final class TsdbVerifyCommand extends FolderCommand {
  private static final List<String> LOGS = List.of("wal", "wbl");

  @Option(
      names = "--format",
      paramLabel = "text|json",
      description = "A line a finding, or JSON; ${DEFAULT-VALUE} if not given.")
  private OutputFormat format = OutputFormat.text;

  private final List<Finding> findings = new ArrayList<>();
  private long blocks;
  private long samples;
  private long records;

  TsdbVerifyCommand(Console console, Disk disk) {
    super(console, disk);
  }

  /**
   * What isn't as it should be.
   *
   * @param path the block, log or file
   * @param says what was expected and found, and where
   * @param lost what can't be read for that; "" for nothing
   */
  private record Finding(Path path, String says, String lost) {
    @Override
    public String toString() {
      String text = says.startsWith(path.toString()) ? says : path + ": " + says;
      return lost.isEmpty() ? text : text + "\n  " + lost;
    }
  }

  @Override
  int run() throws IOException {
    DataFolder data = DataFolder.look(disk, folder);
    for (Path path : data.blocks()) {
      verifyBlock(path);
    }
    for (String log : LOGS) {
      if (disk.isFolder(folder.resolve(log))) {
        verifyLog(folder.resolve(log));
      }
    }
    data.beside().forEach(this::verifyBeside);
    report();
    return findings.isEmpty() ? ExitCode.OK : ExitCode.FOUND;
  }

  private void verifyBlock(Path path) throws IOException {
    blocks++;
    BlockReport report = Block.verify(disk, path);
    samples += report.found().samples();
    String lost = report.isSound() ? "" : lost(path);
    for (String problem : report.problems()) {
      findings.add(new Finding(path, problem, lost));
    }
    long untold = report.problemCount() - report.problems().size();
    if (untold > 0) {
      findings.add(new Finding(path, untold + " problems more", lost));
    }
  }

  private String lost(Path path) throws IOException {
    try (Block block = Block.open(disk, path)) {
      BlockMeta meta = block.meta();
      return "of the samples from %s to %s what can't be read is lost"
          .formatted(Amounts.time(meta.minMs()), Amounts.time(meta.maxMs()));
    } catch (CorruptBlockException e) {
      return "all samples of the block are lost";
    }
  }

  private void verifyLog(Path path) throws IOException {
    try (WalReader reader = WalReader.open(disk, path)) {
      for (WalRecord record = reader.next(); record != null; record = reader.next()) {
        records++;
      }
      WalDamage damage = reader.damage();
      if (damage != null) {
        findings.add(finding(damage));
      }
    }
  }

  private static Finding finding(WalDamage damage) {
    String lost =
        "%s from there on %s"
            .formatted(
                Amounts.bytes(damage.lostBytes()),
                damage.isTail() ? "are a write that was broken off" : "are lost");
    return new Finding(
        damage.file(), "offset %d: %s".formatted(damage.offset(), damage.says()), lost);
  }

  private void verifyBeside(Beside file) {
    if (file.kind() == Kind.CORRUPT || file.kind() == Kind.LEFTOVER) {
      findings.add(
          new Finding(
              folder.resolve(Printable.of(file.name())),
              file.kind().says() + " (" + Amounts.bytes(file.bytes()) + ")",
              ""));
    }
  }

  private void report() {
    if (format == OutputFormat.json) {
      console.out().println(json());
      return;
    }
    findings.forEach(console.out()::println);
    console
        .out()
        .println(
            "%s with %s, %s of the log read; %s"
                .formatted(
                    Amounts.count(blocks, "block"),
                    Amounts.count(samples, "sample"),
                    Amounts.count(records, "record"),
                    findings.isEmpty() ? "all good" : Amounts.count(findings.size(), "finding")));
  }

  private String json() {
    return JsonText.of(
        json -> {
          json.writeStartObject();
          json.writeNumberField("blocks", blocks);
          json.writeNumberField("samples", samples);
          json.writeNumberField("logRecords", records);
          json.writeArrayFieldStart("findings");
          for (Finding finding : findings) {
            json.writeStartObject();
            json.writeStringField("path", finding.path().toString());
            json.writeStringField("says", finding.says());
            json.writeStringField("lost", finding.lost());
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }
}
