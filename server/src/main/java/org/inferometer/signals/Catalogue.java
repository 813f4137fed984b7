package org.inferometer.signals;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about signals and about who exposes them, read from the signal files.
 *
 * @param dialects in the order in which a target is compared with them
 */
record Catalogue(Vocabulary vocabulary, List<Dialect> dialects, Judgement judgement) {
  /** The dialect files; mapped dialects are tried before those only known by name. */
  private static final List<String> DIALECT_FILES =
      List.of("vllm.yaml", "dcgm.yaml", "nvidia-smi.yaml", "node.yaml");

  Catalogue {
    dialects = List.copyOf(dialects);
  }

  /** The signal files that come with the program. */
  static Catalogue builtIn() {
    Map<String, String> dialects = new LinkedHashMap<>();
    DIALECT_FILES.forEach(file -> dialects.put(file, resource(file)));
    return load(
        resource("signals.yaml"), dialects, resource("engines.yaml"), resource("judgement.yaml"));
  }

  /**
   * Reads signal files.
   *
   * @param dialects text by file name
   * @throws SignalFileException if anything is wrong, with all that is
   */
  static Catalogue load(
      String signals, Map<String, String> dialects, String engines, String judgement) {
    Problems problems = new Problems();
    Vocabulary vocabulary = new SignalsFile(problems).read(YamlNode.parse("signals.yaml", signals));
    List<Dialect> all = new ArrayList<>();
    DialectFile dialectFile = new DialectFile(vocabulary, problems);
    dialects.forEach((file, text) -> all.add(dialectFile.read(YamlNode.parse(file, text))));
    all.addAll(dialectFile.readUnmapped(YamlNode.parse("engines.yaml", engines)));
    Judgement judge =
        new JudgementFile(vocabulary, problems).read(YamlNode.parse("judgement.yaml", judgement));
    problems.throwIfAny();
    return new Catalogue(vocabulary, all, judge);
  }

  /** The labels of series that tell who or what a target is, over all dialects. */
  Set<String> identityLabels() {
    Set<String> labels = new LinkedHashSet<>();
    for (Dialect dialect : dialects) {
      labels.addAll(dialect.models());
      labels.addAll(dialect.hostLabels());
      labels.addAll(dialect.workloadPodLabels());
      for (Fingerprint fingerprint : dialect.identify()) {
        addIfPresent(labels, fingerprint.label());
        addIfPresent(labels, fingerprint.unlessLabel());
      }
      if (dialect.versionInfo() != null) {
        labels.add(dialect.versionInfo().label());
      }
      for (Marker marker : dialect.markers()) {
        switch (marker.test()) {
          case Marker.Test.Present ignored -> {}
          case Marker.Test.Absent ignored -> {}
          case Marker.Test.WithLabel test -> labels.add(test.label());
          case Marker.Test.WithoutLabel test -> labels.add(test.label());
        }
      }
    }
    return labels;
  }

  private static void addIfPresent(Set<String> labels, @Nullable String label) {
    if (label != null) {
      labels.add(label);
    }
  }

  static String resource(String file) {
    try (InputStream in = Catalogue.class.getResourceAsStream("/signals/" + file)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file signals/" + file);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
