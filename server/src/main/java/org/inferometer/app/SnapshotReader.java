package org.inferometer.app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import org.inferometer.signals.Catalogue;
import org.jspecify.annotations.Nullable;

/**
 * Reads a snapshot's file, from whoever it may come: nothing is written, no name in it is used as a
 * path, what it unpacks to is limited, and every file must be what the manifest says. Used once.
 */
final class SnapshotReader {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._/-]{0,199}");
  private static final Pattern LABEL = Pattern.compile("(?!__)[a-zA-Z_][a-zA-Z0-9_]*");
  private static final long TIME_MS_MAX = 253_402_300_799_999L;
  private static final double SECONDS_MAX = 3_600;

  /**
   * How much is read.
   *
   * @param manifestBytes of the manifest
   * @param fileBytes of one file, uncompressed
   * @param allBytes of all files, uncompressed
   * @param files how many there may be
   */
  record Limits(int manifestBytes, int fileBytes, long allBytes, int files) {
    static final Limits DEFAULT = new Limits(64 << 20, 100 << 20, 8L << 30, 200_000);
  }

  private final String name;
  private final Limits limits;
  private final Map<String, Expected> expected = new LinkedHashMap<>();
  private long allBytes;

  /** A file that the manifest names. */
  private static final class Expected {
    private final int bytes;
    private final String sha256;
    private Snapshot.@Nullable Packed content;

    Expected(int bytes, String sha256) {
      this.bytes = bytes;
      this.sha256 = sha256;
    }
  }

  /**
   * @param name of the file, for messages
   */
  SnapshotReader(String name, Limits limits) {
    this.name = name;
    this.limits = limits;
  }

  Snapshot read(Path file) {
    if (!Files.isRegularFile(file)) {
      throw refused(Files.exists(file) ? "expected a file" : "no such file");
    }
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
      return read(in);
    } catch (IOException e) {
      throw CommandException.failed(name + ": can't be read: " + e.getMessage(), e);
    }
  }

  Snapshot read(InputStream in) {
    try (ZipInputStream zip = new ZipInputStream(in, StandardCharsets.UTF_8)) {
      ZipEntry first = zip.getNextEntry();
      if (first == null || !first.getName().equals(SnapshotFile.MANIFEST)) {
        throw refused(
            "expected a snapshot that inferometer snapshot wrote: a zip that begins with "
                + SnapshotFile.MANIFEST);
      }
      byte[] bytes = bounded(zip, SnapshotFile.MANIFEST, limits.manifestBytes());
      JsonNode manifest = parsed(bytes);
      expect(manifest);
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        take(zip, entry.getName());
      }
      return snapshot(manifest);
    } catch (EOFException e) {
      throw refused("it is cut off");
    } catch (ZipException | IllegalArgumentException e) {
      throw refused("it is damaged: " + e.getMessage());
    } catch (IOException e) {
      throw CommandException.failed(name + ": can't be read: " + e.getMessage(), e);
    }
  }

  private JsonNode parsed(byte[] bytes) throws IOException {
    JsonNode manifest;
    try {
      manifest = new ObjectMapper().readTree(bytes);
    } catch (JsonProcessingException e) {
      throw refused(SnapshotFile.MANIFEST + " isn't JSON: " + e.getOriginalMessage());
    }
    if (!manifest.path("format").asText().equals(SnapshotFile.FORMAT)) {
      throw refused("expected \"" + SnapshotFile.FORMAT + "\" as its format");
    }
    if (manifest.path("version").asInt() != SnapshotFile.VERSION) {
      throw refused(
          "found version "
              + manifest.path("version").asText()
              + " of the format, expected "
              + SnapshotFile.VERSION
              + "; a newer Inferometer may read it");
    }
    return manifest;
  }

  // ---------------------------------------------------------------------------------- its files

  private void expect(JsonNode manifest) {
    for (String list : List.of("scrapes", "dialects", "extras")) {
      for (JsonNode one : manifest.path(list)) {
        if (one.has("file")) {
          expectFile(one);
        }
      }
    }
  }

  private void expectFile(JsonNode one) {
    String file = one.path("file").asText();
    if (!NAME.matcher(file).matches() || file.contains("..") || file.contains("//")) {
      throw refused("found the file name \"" + file + "\", expected one such as pages/0/1.txt");
    }
    long bytes = one.path("bytes").asLong(-1);
    if (bytes < 0 || bytes > limits.fileBytes()) {
      throw refused(
          file
              + " should have "
              + one.path("bytes").asText()
              + " bytes, expected at most "
              + Amounts.bytes(limits.fileBytes()));
    }
    allBytes += bytes;
    Expected added = new Expected((int) bytes, one.path("sha256").asText());
    if (expected.put(file, added) != null) {
      throw refused("it names " + file + " twice");
    }
    if (allBytes > limits.allBytes() || expected.size() > limits.files()) {
      throw refused(
          "expected at most %s in %d files"
              .formatted(Amounts.bytes(limits.allBytes()), limits.files()));
    }
  }

  private void take(ZipInputStream zip, String file) throws IOException {
    Expected one = expected.get(file);
    if (one == null || one.content != null) {
      throw refused(
          "found \"" + file + "\", which " + SnapshotFile.MANIFEST + " doesn't name, or twice");
    }
    byte[] bytes = bounded(zip, file, one.bytes);
    if (bytes.length != one.bytes || !SnapshotFile.sha256(bytes).equals(one.sha256)) {
      throw refused(file + " isn't what " + SnapshotFile.MANIFEST + " says; it was changed");
    }
    one.content = Snapshot.Packed.of(bytes);
  }

  private byte[] bounded(ZipInputStream zip, String file, int bytesMax) throws IOException {
    byte[] bytes = zip.readNBytes(bytesMax);
    if (zip.read() >= 0) {
      throw refused(file + " has more than the " + Amounts.bytes(bytesMax) + " expected of it");
    }
    return bytes;
  }

  private Snapshot.Packed content(JsonNode one) {
    String file = one.path("file").asText();
    Expected found = expected.get(file);
    Snapshot.Packed content = found == null ? null : found.content;
    if (content == null) {
      throw refused(file + " is missing; it is cut off, or was changed");
    }
    return content;
  }

  // -------------------------------------------------------------------------------- its contents

  private Snapshot snapshot(JsonNode manifest) {
    List<Snapshot.Target> targets = new ArrayList<>();
    manifest.path("targets").forEach(one -> targets.add(target(one)));
    List<Snapshot.Scrape> scrapes = new ArrayList<>();
    long before = 0;
    for (JsonNode one : manifest.path("scrapes")) {
      Snapshot.Scrape scrape = scrape(one, targets.size());
      if (scrape.timeMs() < before) {
        throw refused("expected scrapes in the order of their times");
      }
      before = scrape.timeMs();
      scrapes.add(scrape);
    }
    List<Catalogue.OwnFile> dialects = new ArrayList<>();
    for (JsonNode one : manifest.path("dialects")) {
      String text = new String(content(one).bytes(), StandardCharsets.UTF_8);
      dialects.add(new Catalogue.OwnFile(one.path("of").asText(), text));
    }
    List<Snapshot.Extra> extras = new ArrayList<>();
    for (JsonNode one : manifest.path("extras")) {
      extras.add(new Snapshot.Extra(one.path("file").asText(), content(one)));
    }
    return new Snapshot(
        manifest.path("program").asText(),
        targets,
        scrapes,
        numbers(manifest.path("goals")),
        numbers(manifest.path("facts")),
        thresholds(manifest.path("thresholds")),
        dialects,
        extras);
  }

  private Snapshot.Target target(JsonNode one) {
    Map<String, String> labels = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> label : one.path("labels").properties()) {
      if (!LABEL.matcher(label.getKey()).matches()) {
        throw refused("found the label \"" + label.getKey() + "\" of a target");
      }
      labels.put(label.getKey(), label.getValue().asText());
    }
    if (!labels.containsKey("job") || !labels.containsKey("instance")) {
      throw refused("expected the labels job and instance of every target");
    }
    return new Snapshot.Target(
        one.path("url").asText(), labels, one.path("honorLabels").asBoolean());
  }

  private Snapshot.Scrape scrape(JsonNode one, int targets) {
    int target = one.path("target").asInt(-1);
    long timeMs = one.path("timeMs").asLong(-1);
    double seconds = one.path("seconds").asDouble(-1);
    if (target < 0 || target >= targets || timeMs < 0 || timeMs > TIME_MS_MAX) {
      throw refused("found a scrape of no target, or at no time");
    }
    if (!(seconds >= 0 && seconds <= SECONDS_MAX)) {
      throw refused("found a scrape of " + one.path("seconds").asText() + " seconds");
    }
    boolean isPage = one.path("outcome").asText().equals("page");
    return new Snapshot.Scrape(
        target,
        timeMs,
        seconds,
        one.path("outcome").asText().equals("late"),
        isPage && one.path("type").isTextual() ? one.path("type").asText() : null,
        isPage ? content(one) : null,
        one.path("says").asText());
  }

  private Map<String, Map<String, Double>> thresholds(JsonNode byService) {
    Map<String, Map<String, Double>> all = numbers(byService);
    for (Map<String, Double> values : all.values()) {
      for (String one : values.keySet()) {
        if (!OwnThresholds.names().contains(one)) {
          throw refused("there is no threshold \"" + one + "\"");
        }
      }
    }
    return all;
  }

  private Map<String, Map<String, Double>> numbers(JsonNode byModel) {
    Map<String, Map<String, Double>> all = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> model : byModel.properties()) {
      Map<String, Double> values = new LinkedHashMap<>();
      for (Map.Entry<String, JsonNode> one : model.getValue().properties()) {
        if (!one.getValue().isNumber() || !Double.isFinite(one.getValue().asDouble())) {
          throw refused("expected a number for " + one.getKey());
        }
        values.put(one.getKey(), one.getValue().asDouble());
      }
      all.put(model.getKey(), values);
    }
    return all;
  }

  private CommandException refused(String what) {
    return CommandException.badInput(name + ": " + what);
  }
}
