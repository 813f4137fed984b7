package org.inferometer.app;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.inferometer.signals.Catalogue;

/**
 * Snapshots as files: a zip whose first entry, {@code snapshot.json}, names all others with their
 * sizes and hashes, as docs/reference/snapshot.md has it.
 */
final class SnapshotFile {
  static final String FORMAT = "inferometer-snapshot";
  static final int VERSION = 1;
  static final String MANIFEST = "snapshot.json";

  /** The oldest time that a zip can hold: that of its entries says nothing. */
  private static final LocalDateTime NO_TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

  private SnapshotFile() {}

  /** A file of the zip. */
  private record Content(String name, Snapshot.Packed packed) {}

  /** Writes a snapshot; the file is there whole or not at all. */
  static void write(Path file, Snapshot snapshot) throws IOException {
    Path absolute = file.toAbsolutePath();
    Path part = absolute.resolveSibling(absolute.getFileName() + ".part");
    try {
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(part))) {
        write(out, snapshot);
      }
      move(part, absolute);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  static void write(OutputStream out, Snapshot snapshot) throws IOException {
    List<Content> contents = new ArrayList<>();
    String manifest = JsonText.of(json -> manifest(json, snapshot, contents));
    try (ZipOutputStream zip = new ZipOutputStream(out, StandardCharsets.UTF_8)) {
      entry(zip, MANIFEST, manifest.getBytes(StandardCharsets.UTF_8));
      for (Content content : contents) {
        entry(zip, content.name(), content.packed().bytes());
      }
    }
  }

  private static void entry(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(NO_TIME);
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  static SnapshotReader.Limits limits() {
    return SnapshotReader.Limits.DEFAULT;
  }

  /**
   * Reads a snapshot.
   *
   * @throws CommandException if it isn't one, or is damaged; the message names the file
   */
  static Snapshot read(Path file) {
    return new SnapshotReader(file.toString(), limits()).read(file);
  }

  // ------------------------------------------------------------------------------- the manifest

  private static void manifest(JsonGenerator json, Snapshot snapshot, List<Content> contents)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("format", FORMAT);
    json.writeNumberField("version", VERSION);
    json.writeStringField("program", snapshot.program());
    json.writeArrayFieldStart("targets");
    for (Snapshot.Target target : snapshot.targets()) {
      target(json, target);
    }
    json.writeEndArray();
    json.writeArrayFieldStart("scrapes");
    for (Snapshot.Scrape scrape : snapshot.scrapes()) {
      scrape(json, scrape, contents);
    }
    json.writeEndArray();
    numbers(json, "goals", snapshot.goals());
    numbers(json, "facts", snapshot.facts());
    numbers(json, "thresholds", snapshot.thresholds());
    json.writeArrayFieldStart("dialects");
    int i = 0;
    for (Catalogue.OwnFile dialect : snapshot.dialects()) {
      json.writeStartObject();
      json.writeStringField("of", dialect.name());
      byte[] text = dialect.text().getBytes(StandardCharsets.UTF_8);
      file(json, new Content("dialects/" + i++ + ".yml", Snapshot.Packed.of(text)), contents);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("extras");
    for (Snapshot.Extra extra : snapshot.extras()) {
      json.writeStartObject();
      file(json, new Content(extra.name(), extra.content()), contents);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void target(JsonGenerator json, Snapshot.Target target) throws IOException {
    json.writeStartObject();
    json.writeStringField("url", target.url());
    json.writeObjectFieldStart("labels");
    for (Map.Entry<String, String> label : new TreeMap<>(target.labels()).entrySet()) {
      json.writeStringField(label.getKey(), label.getValue());
    }
    json.writeEndObject();
    json.writeBooleanField("honorLabels", target.honorLabels());
    json.writeEndObject();
  }

  private static void scrape(JsonGenerator json, Snapshot.Scrape scrape, List<Content> contents)
      throws IOException {
    json.writeStartObject();
    json.writeNumberField("target", scrape.target());
    json.writeNumberField("timeMs", scrape.timeMs());
    json.writeNumberField("seconds", scrape.seconds());
    Snapshot.Packed page = scrape.page();
    if (page == null) {
      json.writeStringField("outcome", scrape.isLate() ? "late" : "failed");
      json.writeStringField("says", scrape.says());
    } else {
      json.writeStringField("outcome", "page");
      json.writeStringField("type", scrape.contentType());
      String name = "pages/" + scrape.target() + "/" + scrape.timeMs() + ".txt";
      file(json, new Content(name, page), contents);
    }
    json.writeEndObject();
  }

  private static void file(JsonGenerator json, Content content, List<Content> contents)
      throws IOException {
    json.writeStringField("file", content.name());
    json.writeNumberField("bytes", content.packed().length());
    json.writeStringField("sha256", sha256(content.packed().bytes()));
    contents.add(content);
  }

  private static void numbers(
      JsonGenerator json, String name, Map<String, Map<String, Double>> byModel)
      throws IOException {
    json.writeObjectFieldStart(name);
    for (Map.Entry<String, Map<String, Double>> model : new TreeMap<>(byModel).entrySet()) {
      json.writeObjectFieldStart(model.getKey());
      for (Map.Entry<String, Double> one : new TreeMap<>(model.getValue()).entrySet()) {
        json.writeNumberField(one.getKey(), one.getValue());
      }
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
