package org.inferometer.signals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.exposition.Event;
import org.inferometer.exposition.ExpositionParser;
import org.inferometer.exposition.Format;
import org.inferometer.exposition.Mode;
import org.inferometer.model.Labels;

/** A page of metrics as an endpoint served it, parsed. */
record Dump(String name, List<Sample> samples) {
  record Sample(Labels labels, double value) {}

  /** All real pages, sorted by their files' names. */
  static List<Dump> all() {
    return files().map(Dump::read).toList();
  }

  private static Stream<Path> files() {
    return Stream.of("fixtures/metrics", "fixtures/gpu")
        .flatMap(folder -> files(Shared.path(folder)));
  }

  private static Stream<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> !file.getFileName().toString().endsWith(".tsv"))
          .sorted()
          .toList()
          .stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Dump named(String start) {
    return files()
        .filter(file -> file.getFileName().toString().startsWith(start))
        .findFirst()
        .map(Dump::read)
        .orElseThrow();
  }

  static Dump read(Path file) {
    try {
      String name = file.getFileName().toString();
      return name.endsWith(".txt")
          ? new Dump(name, familyList(Files.readAllLines(file)))
          : new Dump(name, parse(Files.readAllBytes(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Dump of(String name, String text) {
    return new Dump(name, parse(text.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
  }

  private static List<Sample> parse(byte[] body) {
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.TOLERANT);
    parser.reset(body, body.length);
    List<Sample> samples = new ArrayList<>();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        samples.add(new Sample(parser.labels(), parser.value()));
      }
    }
    return samples;
  }

  /** A list of "family type" lines: one series each, of an engine that hasn't done anything yet. */
  private static List<Sample> familyList(List<String> lines) {
    List<Sample> samples = new ArrayList<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      if (line.startsWith("#") || words.length != 2) {
        continue;
      }
      Labels labels = Labels.of("model_name", "m", "engine", "0");
      if (words[1].equals("histogram")) {
        samples.add(new Sample(named(labels.with("le", "1.0"), words[0] + "_bucket"), 0));
        samples.add(new Sample(named(labels.with("le", "+Inf"), words[0] + "_bucket"), 0));
        samples.add(new Sample(named(labels, words[0] + "_sum"), 0));
        samples.add(new Sample(named(labels, words[0] + "_count"), 0));
      } else {
        samples.add(new Sample(named(labels, words[0]), 0));
      }
    }
    return samples;
  }

  private static Labels named(Labels labels, String metric) {
    return labels.with(Labels.NAME, metric);
  }

  /** What it tells about the target that served it. */
  TargetFacts facts(Catalogue catalogue) {
    List<String> kept = new ArrayList<>(catalogue.identityLabels());
    kept.add(Labels.NAME);
    List<Labels> rows =
        samples.stream().map(sample -> sample.labels().only(kept)).distinct().toList();
    return TargetFacts.of(new Target("job", "host:1"), rows);
  }
}
