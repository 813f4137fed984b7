package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;
import org.inferometer.signals.Catalogue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFileTest {
  private static final SnapshotReader.Limits SMALL =
      new SnapshotReader.Limits(100_000, 10_000, 20_000, 20);

  @TempDir private Path folder;

  private static Snapshot.Packed packed(String text) {
    return Snapshot.Packed.of(text.getBytes(StandardCharsets.UTF_8));
  }

  private static Snapshot snapshot() {
    Snapshot.Target target =
        new Snapshot.Target("http://a:1/metrics", Map.of("job", "url", "instance", "a:1"), true);
    List<Snapshot.Scrape> scrapes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      scrapes.add(
          new Snapshot.Scrape(
              0, 1_000 + i * 5_000, 0.25, false, "text/plain", packed("a " + i + "\n"), ""));
    }
    scrapes.add(new Snapshot.Scrape(0, 20_000, 5, true, null, null, "It took too long."));
    return new Snapshot(
        "Inferometer/test",
        List.of(target),
        scrapes,
        Map.of("*", Map.of("ttft_p95", 0.5)),
        Map.of("m", Map.of("gpus", 2.0)),
        Map.of(),
        List.of(new Catalogue.OwnFile("own.yml", "text")),
        List.of(new Snapshot.Extra("config.yml", packed("global: {}\n"))));
  }

  private static byte[] bytes(Snapshot snapshot) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    SnapshotFile.write(out, snapshot);
    return out.toByteArray();
  }

  private static Snapshot read(byte[] bytes) {
    return new SnapshotReader("x.zip", SMALL).read(new ByteArrayInputStream(bytes));
  }

  private static String refusal(byte[] bytes) {
    try {
      read(bytes);
      return "";
    } catch (CommandException e) {
      assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
      return String.valueOf(e.getMessage());
    }
  }

  /** The zip's entries; what is changed in them is written back with {@link #zip}. */
  private static Map<String, String> entries(byte[] bytes) throws IOException {
    Map<String, String> entries = new LinkedHashMap<>();
    try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        entries.put(entry.getName(), new String(zip.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    return entries;
  }

  private static byte[] zip(Map<String, String> entries) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      for (Map.Entry<String, String> entry : entries.entrySet()) {
        zip.putNextEntry(new ZipEntry(entry.getKey()));
        zip.write(entry.getValue().getBytes(StandardCharsets.UTF_8));
      }
    }
    return out.toByteArray();
  }

  private static String refusalOf(String from, String to) throws IOException {
    Map<String, String> entries = entries(bytes(snapshot()));
    String manifest = String.valueOf(entries.get(SnapshotFile.MANIFEST));
    assertThat(manifest).contains(from);
    entries.put(SnapshotFile.MANIFEST, manifest.replace(from, to));
    return refusal(zip(entries));
  }

  @Test
  void written_readsAsTheSame() throws IOException {
    byte[] bytes = bytes(snapshot());
    Snapshot read = read(bytes);
    assertThat(bytes(read)).isEqualTo(bytes);
    assertThat(read.targets()).isEqualTo(snapshot().targets());
    assertThat(read.goals()).isEqualTo(snapshot().goals());
    assertThat(read.scrapes().getLast()).isEqualTo(snapshot().scrapes().getLast());
    assertThat(read.endMs()).isEqualTo(20_000);
    assertThat(entries(bytes).keySet())
        .containsExactly(
            "snapshot.json",
            "pages/0/1000.txt",
            "pages/0/6000.txt",
            "pages/0/11000.txt",
            "dialects/0.yml",
            "config.yml");
  }

  @Test
  void file_isThereWholeOrNotAtAll() throws IOException {
    Path file = folder.resolve("a.zip");
    SnapshotFile.write(file, snapshot());
    assertThat(SnapshotFile.read(file).pages()).isEqualTo(3);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
    assertThatThrownBy(() -> SnapshotFile.read(folder.resolve("none.zip")))
        .hasMessageEndingWith("none.zip: no such file");
    assertThatThrownBy(() -> SnapshotFile.read(folder)).hasMessageEndingWith("expected a file");
  }

  @Test
  void cutOff_isRefused() throws IOException {
    byte[] bytes = bytes(snapshot());
    int end = new String(bytes, StandardCharsets.ISO_8859_1).indexOf("PK\u0001\u0002");
    for (int length = 0; length < end; length += 7) {
      assertThat(refusal(java.util.Arrays.copyOf(bytes, length)))
          .as("%d of %d bytes", length, bytes.length)
          .startsWith("x.zip: ");
    }
  }

  @Test
  void changedBytes_areRefusedOrMakeNoDifference() throws IOException {
    byte[] bytes = bytes(snapshot());
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] changed = bytes.clone();
      for (int i = 0; i <= random.nextInt(3); i++) {
        changed[random.nextInt(changed.length)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(read(changed).pages()).as("seed %d", seed).isLessThanOrEqualTo(3);
      } catch (CommandException e) {
        assertThat(e.getMessage()).as("seed %d", seed).startsWith("x.zip: ");
      }
    }
  }

  @Test
  void changedPage_isRefused() throws IOException {
    Map<String, String> entries = entries(bytes(snapshot()));
    entries.put("pages/0/1000.txt", "a 7\n");
    assertThat(refusal(zip(entries))).contains("pages/0/1000.txt isn't what", "it was changed");
    entries.put("pages/0/1000.txt", "a".repeat(5_000));
    assertThat(refusal(zip(entries))).contains("has more than the 4 B expected of it");
    entries.remove("pages/0/1000.txt");
    assertThat(refusal(zip(entries))).contains("pages/0/1000.txt is missing");
  }

  @Test
  void whatTheManifestDoesNotName_isRefused() throws IOException {
    Map<String, String> entries = entries(bytes(snapshot()));
    entries.put("../../etc/passwd", "x");
    assertThat(refusal(zip(entries))).contains("found \"../../etc/passwd\"");
    assertThat(refusalOf("\"pages/0/1000.txt\"", "\"../1000.txt\""))
        .contains("found the file name");
    assertThat(refusalOf("\"pages/0/1000.txt\"", "\"/etc/passwd\""))
        .contains("found the file name");
    assertThat(refusalOf("\"pages/0/1000.txt\"", "\"pages/0/6000.txt\"")).contains("twice");
  }

  @Test
  void largeFiles_areRefusedBeforeTheyAreRead() throws IOException {
    assertThat(refusalOf("\"bytes\":4", "\"bytes\":2000000000"))
        .contains("expected at most 9.8 KiB");
    assertThat(refusalOf("\"bytes\":4", "\"bytes\":-1")).contains("expected at most");
    Map<String, String> bomb = new LinkedHashMap<>();
    bomb.put(SnapshotFile.MANIFEST, " ".repeat(5_000_000));
    assertThat(refusal(zip(bomb))).contains("snapshot.json has more than");
    assertThat(refusalOf("\"bytes\":4", "\"bytes\":9000")).contains("expected at most 19.5 KiB");
  }

  @Test
  void oddManifests_areRefusedWithSentences() throws IOException {
    assertThat(refusalOf("inferometer-snapshot", "other")).contains("as its format");
    assertThat(refusalOf("\"version\":1", "\"version\":9")).contains("found version 9");
    assertThat(refusalOf("\"target\":0,\"timeMs\":1000", "\"target\":7,\"timeMs\":1000"))
        .contains("no target");
    assertThat(refusalOf("\"timeMs\":1000", "\"timeMs\":90000")).contains("in the order");
    assertThat(refusalOf("\"timeMs\":1000", "\"timeMs\":-1")).contains("no time");
    assertThat(refusalOf("0.25", "1e999")).contains("x.zip: ");
    assertThat(refusalOf("\"instance\":\"a:1\"", "\"__address__\":\"evil\"")).contains("label");
    assertThat(refusalOf("\"ttft_p95\":0.5", "\"ttft_p95\":\"x\"")).contains("number");
    assertThat(refusalOf("\"thresholds\":{}", "\"thresholds\":{\"*\":{\"no\":1}}"))
        .contains("no threshold");
    assertThat(refusal("# HELP".getBytes(StandardCharsets.UTF_8))).contains("expected a snapshot");
    assertThat(refusal(zip(Map.of("a", "b")))).contains("expected a snapshot");
    assertThat(refusal(zip(Map.of(SnapshotFile.MANIFEST, "{")))).contains("isn't JSON");
  }

  @Test
  void replay_tellsWhatTheScraperWouldHaveStored() {
    try (SeriesSource source =
            SeriesSource.ofSnapshot(snapshot(), org.inferometer.time.Ticker.system());
        var query = new QuerySource.Local(source)) {
      assertThat(source.nowMs()).isEqualTo(20_000);
      assertThat(query.instant("a[1m]", 20_000).body())
          .contains("\"instance\":\"a:1\"", "[[1,\"0\"],[6,\"1\"],[11,\"2\"]]");
      assertThat(query.instant("up[1m]", 20_000).body())
          .contains("[[1,\"1\"],[6,\"1\"],[11,\"1\"],[20,\"0\"]]");
      assertThat(query.instant("scrape_duration_seconds", 11_000).body()).contains("\"0.25\"");
    }
  }

  @Test
  void redaction_hidesUsersAndTokens() {
    assertThat(Redaction.url("http://me:pw@host/metrics?a=1&token=abc&x=2"))
        .isEqualTo("http://host/metrics?a=1&token=<secret>&x=2");
    assertThat(Redaction.url("host:8000")).isEqualTo("host:8000");
  }
}
