package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.ParseException;
import org.jspecify.annotations.Nullable;

/** Reads files that say how engines expose signals, and the list of those known by name only. */
final class DialectFile {
  private final Vocabulary vocabulary;
  private final Problems problems;
  private final List<Renaming> renamings = new ArrayList<>();

  DialectFile(Vocabulary vocabulary, Problems problems) {
    this.vocabulary = vocabulary;
    this.problems = problems;
  }

  Dialect read(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    YamlNode head = file.optional("dialect");
    if (head == null) {
      problems.add(file.place(), "\"dialect\" is missing in the file");
      head = new YamlNode.Mapping(List.of(), file.place());
    }
    List<Marker> markers = new ArrayList<>();
    file.optionalList("markers").forEach(node -> markers.add(marker(node)));
    List<Facet> facets = new ArrayList<>();
    file.optionalList("facets").forEach(node -> facets.add(facet(node)));
    List<Trap> traps = new ArrayList<>();
    file.optionalList("traps").forEach(node -> traps.add(trap(node)));
    List<BucketOption> buckets = new ArrayList<>();
    file.optionalList("buckets").forEach(node -> buckets.add(bucketOption(node)));
    Map<String, Mapping> mappings = new LinkedHashMap<>();
    file.list("signals").forEach(node -> addMapping(node, mappings));
    file.end();
    return dialect(head, new Parts(markers, facets, traps, buckets, mappings));
  }

  /** What a file says of a dialect beside its head. */
  private record Parts(
      List<Marker> markers,
      List<Facet> facets,
      List<Trap> traps,
      List<BucketOption> buckets,
      Map<String, Mapping> mappings) {
    static final Parts NONE = new Parts(List.of(), List.of(), List.of(), List.of(), Map.of());
  }

  /** Traps that any page may have, whatever it is. */
  List<Trap> readTraps(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    List<Trap> traps = new ArrayList<>();
    file.list("traps").forEach(node -> traps.add(trap(node)));
    file.end();
    return traps;
  }

  List<Dialect> readUnmapped(YamlNode root) {
    Fields file = new Fields(root, "the file", problems);
    List<Dialect> dialects = new ArrayList<>();
    file.list("dialects").forEach(node -> dialects.add(dialect(node, Parts.NONE)));
    file.end();
    return dialects;
  }

  /** The rules by which dialects take the families of others, as far as files were read. */
  List<Renaming> renamings() {
    return List.copyOf(renamings);
  }

  private void addRenaming(String dialect, @Nullable YamlNode node) {
    if (node == null) {
      return;
    }
    Fields fields = new Fields(node, "a rule for names", problems);
    renamings.add(
        new Renaming(
            dialect,
            fields.text("dialect"),
            fields.text("prefix"),
            fields.text("becomes"),
            fields.optionalText("older"),
            fields.optionalText("older_last"),
            "true".equals(fields.optionalText("bare_counters")),
            fields.optionalTexts("labels")));
    fields.end();
  }

  private Dialect dialect(YamlNode node, Parts parts) {
    Fields fields = new Fields(node, "a dialect", problems);
    List<Fingerprint> fingerprints = new ArrayList<>();
    fields.list("identify").forEach(item -> fingerprints.add(fingerprint(item)));
    String id = fields.text("id");
    String title = fields.text("title");
    addRenaming(id, fields.optional("names_of"));
    ServiceKind kind = fields.choice("kind", ServiceKind.class, ServiceKind.OTHER);
    Dialect dialect =
        new Dialect(
            id,
            title,
            kind,
            fields.optionalTexts("models"),
            fields.optionalTexts("host_labels"),
            fields.optionalTexts("workload_pod_labels"),
            fields.optionalTexts("gpu_labels"),
            fingerprints,
            versionInfo(fields.optional("version_info")),
            parts.markers(),
            fields.optionalTexts("covers"),
            profile(id, title, kind, fields, parts),
            parts.mappings());
    fields.end();
    return dialect;
  }

  private DialectProfile profile(
      String id, String title, ServiceKind kind, Fields head, Parts parts) {
    List<String> copies = head.optionalTexts("copies");
    YamlNode node = head.optional("endpoint");
    Integer port = null;
    String path = "/metrics";
    String enable = null;
    if (node != null) {
      Fields endpoint = new Fields(node, "an endpoint", problems);
      Double number = endpoint.optionalNumber("port");
      port = number == null ? null : number.intValue();
      path = endpoint.has("path") ? endpoint.text("path") : path;
      enable = endpoint.optionalText("enable");
      endpoint.end();
    }
    return new DialectProfile(
        id,
        title,
        kind,
        port,
        path,
        enable,
        copies,
        parts.facets(),
        parts.traps(),
        parts.buckets());
  }

  private Facet facet(YamlNode node) {
    Fields fields = new Fields(node, "a facet", problems);
    Facet facet =
        new Facet(
            fields.text("facet"),
            fields.text("value"),
            template(fields, "query"),
            fields.text("because"));
    fields.end();
    return facet;
  }

  private Trap trap(YamlNode node) {
    Fields fields = new Fields(node, "a trap", problems);
    Trap trap =
        new Trap(
            fields.text("trap"),
            fields.choice("weight", Trap.Weight.class, Trap.Weight.NOTE),
            template(fields, "query"),
            fields.text("says"),
            fields.optionalText("fix"),
            fields.text("source"));
    fields.end();
    return trap;
  }

  private BucketOption bucketOption(YamlNode node) {
    Fields fields = new Fields(node, "a bucket option", problems);
    BucketOption option =
        new BucketOption(
            fields.optionalTexts("signals"),
            fields.optionalText("since"),
            fields.text("line"),
            fields.has("scale") ? fields.number("scale") : 1,
            fields.optionalText("note"));
    option.signals().stream()
        .filter(signal -> !vocabulary.hasBase(signal))
        .forEach(signal -> fields.problem("signals", "unknown signal \"" + signal + "\""));
    fields.end();
    return option;
  }

  /** PromQL over the targets' own series, for which nothing else is known. */
  private Template template(Fields fields, String key) {
    Template template = new Template(fields.text(key));
    metricNames(template, fields, key);
    if (template.text().contains("$label_value") || template.text().contains("$fact")) {
      fields.problem(key, "expected a query without calls such as $fact(gpus) here");
    }
    return template;
  }

  private Fingerprint fingerprint(YamlNode node) {
    Fields fields = new Fields(node, "a fingerprint", problems);
    List<String> families = new ArrayList<>(fields.optionalTexts("families"));
    String family = fields.optionalText("family");
    if (family != null) {
      families.add(family);
    }
    Fingerprint fingerprint =
        new Fingerprint(
            fields.optionalText("prefix"),
            families,
            fields.optionalText("label"),
            fields.optionalText("unless_label"));
    if (fingerprint.prefix() == null && families.isEmpty()) {
      problems.add(node.place(), "a fingerprint needs \"prefix\", \"family\" or \"families\"");
    }
    fields.end();
    return fingerprint;
  }

  private Dialect.@Nullable VersionInfo versionInfo(@Nullable YamlNode node) {
    if (node == null) {
      return null;
    }
    Fields fields = new Fields(node, "a version info", problems);
    Dialect.VersionInfo info = new Dialect.VersionInfo(fields.text("family"), fields.text("label"));
    fields.end();
    return info;
  }

  private Marker marker(YamlNode node) {
    Fields fields = new Fields(node, "a marker", problems);
    Marker marker =
        new Marker(
            markerTest(fields), fields.optionalVersion("since"), fields.optionalVersion("last"));
    if (marker.since() == null && marker.last() == null) {
      problems.add(node.place(), "a marker needs \"since\" or \"last\"");
    }
    fields.end();
    return marker;
  }

  private Marker.Test markerTest(Fields fields) {
    String withLabel = fields.optionalText("with_label");
    String withoutLabel = fields.optionalText("without_label");
    if (withLabel != null) {
      return new Marker.Test.WithLabel(withLabel);
    }
    if (withoutLabel != null) {
      return new Marker.Test.WithoutLabel(withoutLabel);
    }
    return fields.has("absent")
        ? new Marker.Test.Absent(fields.text("absent"), fields.text("given"))
        : new Marker.Test.Present(fields.text("family"));
  }

  private void addMapping(YamlNode node, Map<String, Mapping> mappings) {
    Fields fields = new Fields(node, "a mapping of a signal", problems);
    String signal = fields.text("signal");
    if (!signal.isEmpty() && !vocabulary.hasBase(signal)) {
      fields.problem("signal", "unknown signal \"" + signal + "\"");
    }
    List<Alternative> alternatives = new ArrayList<>();
    fields.optionalList("from").forEach(item -> addAlternative(item, signal, alternatives));
    Mapping mapping =
        new Mapping(
            alternatives,
            fields.optionalText("absent"),
            FamilyFile.optionalChoice(fields, "why", Absence.class, Absence.ENGINE),
            fields.optionalText("fix"),
            fields.optionalText("blank"));
    if (!fields.has("from") && mapping.absent() == null) {
      problems.add(node.place(), "a mapping needs \"from\" or \"absent\"");
    }
    if (mappings.putIfAbsent(signal, mapping) != null) {
      fields.problem("signal", "signal \"" + signal + "\" is mapped twice");
    }
    fields.end();
  }

  private void addAlternative(YamlNode node, String signal, List<Alternative> alternatives) {
    Fields fields = new Fields(node, "an alternative", problems);
    boolean buckets = fields.has("buckets");
    if (vocabulary.hasBase(signal) && buckets != vocabulary.isQuantile(signal)) {
      problems.add(
          node.place(),
          "signal \"" + signal + "\" needs " + (buckets ? "\"query\"" : "\"buckets\""));
    }
    String key = buckets ? "buckets" : "query";
    Template template = new Template(fields.text(key));
    List<String> needs = metricNames(template, fields, key);
    List<String> stated = fields.optionalTexts("needs");
    alternatives.add(
        new Alternative(
            template,
            buckets,
            stated.isEmpty() ? needs : stated,
            fields.choice("quality", Quality.class, Quality.EXACT),
            fields.optionalVersion("since"),
            fields.optionalVersion("last"),
            FamilyFile.optionalChoice(fields, "counts", Population.class, Population.MOMENT),
            fields.optionalText("mixes"),
            fields.optionalText("note")));
    fields.end();
  }

  /** The names of the metrics that a target has to expose; scrapes leave the others themselves. */
  private List<String> metricNames(Template template, Fields fields, String key) {
    if (template.text().isEmpty()) {
      return List.of();
    }
    try {
      return template.metricNames().stream().filter(TargetFacts::isExposed).toList();
    } catch (IllegalArgumentException e) {
      fields.problem(key, e.getMessage() + ", in " + template.text());
      return List.of();
    } catch (ParseException e) {
      fields.problem(key, "not PromQL: " + e.getMessage() + ", in " + template.text());
      return List.of();
    }
  }
}
