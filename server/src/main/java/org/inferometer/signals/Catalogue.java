package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.io.Bundled;
import org.inferometer.promql.ParseException;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about signals and about who exposes them, read from the signal files.
 * Thread-safe.
 */
public final class Catalogue {
  /** The dialect files, more special dialects first; those known only by name come last. */
  static final List<String> DIALECTS =
      List.of(
          "dynamo",
          "sglang",
          "sglang-renamed",
          "trtllm-disagg",
          "trtllm",
          "triton-trtllm",
          "triton-vllm",
          "triton",
          "tgi",
          "llamacpp",
          "llamacpp-renamed",
          "lmdeploy",
          "ray-vllm",
          "nim",
          "production-stack-router",
          "llm-d-router",
          "smg",
          "vllm-router",
          "litellm",
          "gen-ai",
          "vllm-renamed",
          "vllm",
          "dcgm",
          "nvidia-smi",
          "amd-gpu",
          "habana",
          "xpum",
          "node",
          "kube-state-metrics",
          "cadvisor");

  private final Vocabulary vocabulary;
  private final List<Dialect> dialects;
  private final Judgement judgement;
  private final Families families;
  private final List<Trap> traps;

  private Catalogue(
      Vocabulary vocabulary,
      List<Dialect> dialects,
      Judgement judgement,
      Families families,
      List<Trap> traps) {
    this.vocabulary = vocabulary;
    this.dialects = List.copyOf(dialects);
    this.judgement = judgement;
    this.families = families;
    this.traps = List.copyOf(traps);
  }

  /**
   * The text of all signal files.
   *
   * @param dialects text by file name
   * @param families text by file name
   */
  record Files(
      String signals,
      Map<String, String> dialects,
      String engines,
      String judgement,
      Map<String, String> families,
      String traps) {}

  /**
   * A dialect file of the user's: one of its own, or what is to be different in a built-in one.
   *
   * @param name for messages
   */
  public record OwnFile(String name, String text) {}

  /** What comes with the program. */
  public static Catalogue builtIn() {
    return load(builtInFiles());
  }

  /**
   * What comes with the program, and dialect files of the user's, later ones over earlier ones.
   *
   * @throws YamlException if anything is wrong with them, with all that is
   */
  public static Catalogue builtInWith(List<OwnFile> own) {
    return load(builtInFiles(), own);
  }

  static Files builtInFiles() {
    Map<String, String> dialects = new LinkedHashMap<>();
    Map<String, String> families = new LinkedHashMap<>();
    for (String id : DIALECTS) {
      dialects.put(id + ".yaml", resource(id + ".yaml"));
      families.put("families/" + id + ".yaml", resource("families/" + id + ".yaml"));
    }
    return new Files(
        resource("signals.yaml"),
        dialects,
        resource("engines.yaml"),
        resource("judgement.yaml"),
        families,
        resource("traps.yaml"));
  }

  /**
   * Reads signal files.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  static Catalogue load(Files files) {
    return load(files, List.of());
  }

  private static Catalogue load(Files files, List<OwnFile> own) {
    Problems problems = new Problems();
    SignalsFile signalsFile = new SignalsFile(problems);
    Vocabulary vocabulary = signalsFile.read(YamlNode.parse("signals.yaml", files.signals()));
    FamilyFile familyFile = new FamilyFile(problems);
    files.families().forEach((file, text) -> familyFile.read(YamlNode.parse(file, text)));
    List<YamlNode> ownRoots =
        own.stream().map(file -> YamlNode.parse(file.name(), file.text())).toList();
    ownRoots.forEach(root -> familyFile.read(Overlay.families(root)));
    Families families = familyFile.families();
    DialectFile dialectFile = new DialectFile(vocabulary, families, problems);
    List<Dialect> all = new ArrayList<>();
    roots(files, ownRoots).forEach(root -> all.add(dialectFile.read(root)));
    familyFile.renamings().forEach(renaming -> apply(renaming, all));
    all.addAll(dialectFile.readUnmapped(YamlNode.parse("engines.yaml", files.engines())));
    signalsFile.checkPopulations(vocabulary, all);
    List<Trap> traps = dialectFile.readTraps(YamlNode.parse("traps.yaml", files.traps()));
    Judgement judge =
        new JudgementFile(vocabulary, problems)
            .read(YamlNode.parse("judgement.yaml", files.judgement()));
    problems.throwIfAny();
    return new Catalogue(vocabulary, all, judge, families, traps);
  }

  /** The dialect files with the user's over them; dialects that only the user has come first. */
  private static List<YamlNode> roots(Files files, List<YamlNode> own) {
    Map<String, YamlNode> builtIn = new LinkedHashMap<>();
    files
        .dialects()
        .forEach(
            (file, text) -> {
              YamlNode root = YamlNode.parse(file, text);
              builtIn.put(Overlay.id(root), root);
            });
    Map<String, YamlNode> added = new LinkedHashMap<>();
    for (YamlNode root : own) {
      String id = Overlay.id(root);
      YamlNode dialect = Overlay.dialect(root);
      if (builtIn.containsKey(id)) {
        builtIn.computeIfPresent(id, (key, base) -> Overlay.over(base, dialect));
      } else {
        added.merge(id, dialect, Overlay::over);
      }
    }
    List<YamlNode> roots = new ArrayList<>(added.values());
    roots.addAll(builtIn.values());
    return roots;
  }

  private static void apply(Renaming renaming, List<Dialect> all) {
    all.stream()
        .filter(dialect -> dialect.id().equals(renaming.of()))
        .findFirst()
        .ifPresent(
            other ->
                all.replaceAll(
                    dialect ->
                        dialect.id().equals(renaming.dialect())
                            ? renaming.applied(dialect, other)
                            : dialect));
  }

  /** All signals there are, in display order. */
  public List<Signal> signals() {
    return vocabulary.signals();
  }

  /** The metric families of all dialects. */
  public Families families() {
    return families;
  }

  /** Traps that any page may have, whatever it is. */
  public List<Trap> traps() {
    return traps;
  }

  /** What there is to know of a dialect beside its signals, null if there is no such one. */
  public @Nullable DialectProfile profile(String dialect) {
    return dialects.stream()
        .filter(one -> one.id().equals(dialect))
        .map(Dialect::profile)
        .findFirst()
        .orElse(null);
  }

  /** The profiles of all dialects. */
  public List<DialectProfile> profiles() {
    return dialects.stream().map(Dialect::profile).toList();
  }

  /** The names of metrics that any signal, any recognition or any trap reads. */
  public Set<String> metricsRead() {
    Set<String> names = new LinkedHashSet<>();
    for (Dialect dialect : dialects) {
      for (Mapping mapping : dialect.mappings().values()) {
        mapping.alternatives().forEach(alternative -> names.addAll(alternative.needs()));
      }
      dialect.identify().forEach(fingerprint -> names.addAll(fingerprint.families()));
      dialect.markers().forEach(marker -> addNames(names, marker.test()));
      if (dialect.versionInfo() != null) {
        names.add(dialect.versionInfo().family());
      }
      dialect.profile().facets().forEach(facet -> addNames(names, facet.query()));
      dialect.profile().traps().forEach(trap -> addNames(names, trap.query()));
    }
    traps.forEach(trap -> addNames(names, trap.query()));
    return names;
  }

  private static void addNames(Set<String> names, Marker.Test test) {
    switch (test) {
      case Marker.Test.Present t -> names.add(t.metric());
      case Marker.Test.Absent t -> {
        names.add(t.metric());
        names.addAll(t.given());
      }
      case Marker.Test.WithLabel ignored -> {}
      case Marker.Test.WithoutLabel ignored -> {}
    }
  }

  private static void addNames(Set<String> names, Template template) {
    try {
      names.addAll(template.metricNames());
    } catch (ParseException e) {
      throw new IllegalStateException("was parsed when it was loaded: " + template.text(), e);
    }
  }

  Vocabulary vocabulary() {
    return vocabulary;
  }

  List<Dialect> dialects() {
    return dialects;
  }

  Judgement judgement() {
    return judgement;
  }

  /** The labels of series that tell who or what a target is, over all dialects. */
  Set<String> identityLabels() {
    Set<String> labels = new LinkedHashSet<>();
    for (Dialect dialect : dialects) {
      labels.addAll(dialect.models());
      labels.addAll(dialect.hostLabels());
      labels.addAll(dialect.workloadPodLabels());
      labels.addAll(dialect.gpuLabels());
      dialect.templates().forEach(template -> addLabels(labels, template));
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

  private static void addLabels(Set<String> labels, Template template) {
    template.calls().forEach(call -> labels.addAll(call.labels()));
  }

  private static void addIfPresent(Set<String> labels, @Nullable String label) {
    if (label != null) {
      labels.add(label);
    }
  }

  static String resource(String file) {
    return Bundled.text("signals/" + file);
  }
}
