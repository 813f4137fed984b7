package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.Expr;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads files that say how engines expose signals, and the list of those known by name only. */
final class DialectFile {
  private final Vocabulary vocabulary;
  private final QueryCheck check;
  private final Problems problems;

  DialectFile(Vocabulary vocabulary, Families families, Problems problems) {
    this.vocabulary = vocabulary;
    this.check = new QueryCheck(families, problems);
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
    List<SettingSource> settings = new ArrayList<>();
    file.optionalList("settings").forEach(node -> settings.add(setting(node)));
    MappingReader mappings = new MappingReader(textOf(head, "id"), vocabulary, check, problems);
    file.list("signals").forEach(mappings::read);
    file.end();
    return dialect(head, new Parts(markers, facets, traps, buckets, settings, mappings.mappings()));
  }

  /** A text of the head, "" if there is none; what is wrong with it is told where it is read. */
  private static String textOf(YamlNode head, String key) {
    return YamlNode.find(head, key) instanceof YamlNode.Scalar scalar ? scalar.text() : "";
  }

  /** What a file says of a dialect beside its head. */
  private record Parts(
      List<Marker> markers,
      List<Facet> facets,
      List<Trap> traps,
      List<BucketOption> buckets,
      List<SettingSource> settings,
      Map<String, Mapping> mappings) {
    static final Parts NONE =
        new Parts(List.of(), List.of(), List.of(), List.of(), List.of(), Map.of());
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

  private Dialect dialect(YamlNode node, Parts parts) {
    Fields fields = new Fields(node, "a dialect", problems);
    List<Fingerprint> fingerprints = new ArrayList<>();
    fields.list("identify").forEach(item -> fingerprints.add(fingerprint(item)));
    String id = fields.text("id");
    String title = fields.text("title");
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
        parts.buckets(),
        parts.settings());
  }

  private SettingSource setting(YamlNode node) {
    Fields fields = new Fields(node, "a setting", problems);
    SettingSource setting =
        new SettingSource(metric(fields, "family"), fields.optionalText("name"));
    fields.end();
    return setting;
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
    Expr query = check.parse(template, fields.place(key));
    if (query != null) {
      check.metrics(query, fields.place(key));
    }
    if (TemplateCall.FORM.matcher(template.text()).find()) {
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
        ? new Marker.Test.Absent(metric(fields, "absent"), given(fields))
        : new Marker.Test.Present(metric(fields, "family"));
  }

  /** One metric or a list of them, beside which another would be. */
  private List<String> given(Fields fields) {
    if (!(fields.optional("given") instanceof YamlNode.Sequence)) {
      return List.of(metric(fields, "given"));
    }
    List<String> names = fields.optionalTexts("given");
    names.forEach(name -> check.exists(name, fields.place("given")));
    if (names.isEmpty()) {
      fields.problem("given", "expected the name of a metric, or several");
    }
    return names;
  }

  /** The name of a metric that some family has. */
  private String metric(Fields fields, String key) {
    String name = fields.text(key);
    if (!name.isEmpty()) {
      check.exists(name, fields.place(key));
    }
    return name;
  }
}
