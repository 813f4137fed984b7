package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.promql.Expr;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Place;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** Reads how a dialect feeds signals. */
final class MappingReader {
  private final String dialect;
  private final Vocabulary vocabulary;
  private final QueryCheck check;
  private final Problems problems;
  private final Map<String, Mapping> mappings = new LinkedHashMap<>();

  MappingReader(String dialect, Vocabulary vocabulary, QueryCheck check, Problems problems) {
    this.dialect = dialect;
    this.vocabulary = vocabulary;
    this.check = check;
    this.problems = problems;
  }

  /** What was read, by the base names of the signals. */
  Map<String, Mapping> mappings() {
    return mappings;
  }

  void read(YamlNode node) {
    Fields fields = new Fields(node, "a mapping of a signal", problems);
    String signal = fields.text("signal");
    if (!signal.isEmpty() && !vocabulary.hasBase(signal)) {
      fields.problem("signal", "unknown signal \"" + signal + "\"");
    }
    List<Alternative> alternatives = new ArrayList<>();
    fields.optionalList("from").forEach(item -> alternatives.add(alternative(item, signal)));
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

  private Alternative alternative(YamlNode node, String signal) {
    Fields fields = new Fields(node, "an alternative", problems);
    boolean buckets = fields.has("buckets");
    if (vocabulary.hasBase(signal) && buckets != vocabulary.isQuantile(signal)) {
      problems.add(
          node.place(),
          "signal \"" + signal + "\" needs " + (buckets ? "\"query\"" : "\"buckets\""));
    }
    String key = buckets ? "buckets" : "query";
    Template template = new Template(fields.text(key));
    Place place = fields.place(key);
    Expr query = check.parse(template, place);
    String mixes = fields.optionalText("mixes");
    if (query != null && mixes == null) {
      checkMixture(query, place);
    }
    Alternative alternative =
        new Alternative(
            template,
            buckets,
            needs(fields, query, place),
            fields.choice("quality", Quality.class, Quality.EXACT),
            fields.optionalVersion("since"),
            fields.optionalVersion("last"),
            counts(fields, query),
            mixes,
            fields.optionalText("note"));
    fields.end();
    return alternative;
  }

  private List<String> needs(Fields fields, @Nullable Expr query, Place place) {
    List<String> read = query == null ? List.of() : check.metrics(query, place);
    List<String> stated = fields.optionalTexts("needs");
    stated.forEach(name -> check.exists(name, fields.place("needs")));
    return stated.isEmpty() ? read : stated;
  }

  private @Nullable Population counts(Fields fields, @Nullable Expr query) {
    Population stated =
        FamilyFile.optionalChoice(fields, "counts", Population.class, Population.MOMENT);
    return stated == null && query != null ? check.population(query, dialect) : stated;
  }

  private void checkMixture(Expr query, Place place) {
    String mixture = check.mixture(query, dialect);
    if (mixture != null) {
      problems.add(place, "the query " + mixture + "; expected \"mixes\" to say why that is sound");
    }
  }
}
