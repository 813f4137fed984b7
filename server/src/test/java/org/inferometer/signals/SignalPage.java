package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The page of the docs about one signal, or about one base name with all its quantiles. */
final class SignalPage {
  /** Longer PromQL is broken into lines. */
  private static final int WIDTH = 100;

  private static final Pattern NAME = Pattern.compile("(?<![$A-Za-z0-9_])[a-z][a-z0-9_]*");
  private static final String RAY = "ray_vllm";

  private final Catalogue catalogue;
  private final List<Signal> signals;
  private final Signal first;
  private final StringBuilder page = new StringBuilder();

  /**
   * @param signals all that have one base name
   */
  SignalPage(Catalogue catalogue, List<Signal> signals) {
    this.catalogue = catalogue;
    this.signals = List.copyOf(signals);
    this.first = signals.getFirst();
  }

  String markdown() {
    line("# " + title(first));
    line("");
    line(String.join(", ", signals.stream().map(signal -> "`" + signal.name() + "`").toList()));
    line("");
    paragraph(first.meaning());
    if (first.caveat() != null) {
      paragraph("**Beware:** " + first.caveat());
    }
    facts();
    if (first.formula() != null) {
      formula(first.formula().text());
    }
    ways();
    lacking();
    line("[All signals](../signals.md)");
    return page.toString();
  }

  /** The title without the quantile. */
  static String title(Signal signal) {
    return signal.title().replaceFirst(", P[0-9.]+$", "");
  }

  private void facts() {
    line("- Layer: " + (first.layer() == Layer.GPU ? "GPU" : lower(first.layer())));
    line("- Unit: " + first.unit());
    line("- Kind: " + lower(first.kind()));
    String healthy = SignalReference.healthy(first.healthy());
    if (healthy != null) {
      line("- Healthy: " + healthy);
    }
    for (Rule rule : catalogue.judgement().rules()) {
      if (signals.contains(rule.signal())) {
        line("- Judged: " + SignalReference.holds(rule) + " is " + lower(rule.state()) + ".");
      }
    }
    line("");
  }

  private void formula(String formula) {
    line("## Computed");
    line("");
    paragraph("From other signals, where the engine doesn't have it by itself:");
    code(formula);
    if (first.mixes() != null) {
      paragraph(first.mixes());
    }
    List<String> links = new ArrayList<>();
    for (String base : bases(formula)) {
      links.add("[" + base + "](" + base + ".md)");
    }
    if (!links.isEmpty()) {
      paragraph("It uses " + String.join(", ", links) + ".");
    }
  }

  /** The signals that a formula names, by their base names. */
  private Set<String> bases(String formula) {
    Set<String> bases = new TreeSet<>();
    Matcher names = NAME.matcher(formula);
    while (names.find()) {
      for (Signal signal : catalogue.signals()) {
        if (signal.name().equals(names.group())) {
          bases.add(signal.base());
        }
      }
    }
    return bases;
  }

  private List<Dialect> dialects() {
    return catalogue.dialects().stream()
        .filter(Dialect::isMapped)
        .filter(dialect -> dialect.kind().layers().contains(first.layer()))
        .sorted(Comparator.comparing(dialect -> dialect.title().toLowerCase(Locale.ROOT)))
        .toList();
  }

  private void ways() {
    boolean any = false;
    for (Dialect dialect : dialects()) {
      Mapping mapping = dialect.mappings().get(first.base());
      if (mapping != null && !mapping.alternatives().isEmpty()) {
        any = true;
        line("## " + dialect.title());
        line("");
        if (!isRenamed(dialect, mapping)) {
          alternatives(mapping);
          absence(mapping);
        }
      }
    }
    if (!any && first.formula() == null) {
      paragraph(
          "The program computes it from other signals and from what was told of the service.");
    }
  }

  /** What takes its names from another by a rule isn't told twice. */
  private boolean isRenamed(Dialect dialect, Mapping mapping) {
    boolean underRay =
        mapping.alternatives().stream()
            .allMatch(alternative -> alternative.template().text().contains(RAY));
    if (underRay) {
      paragraph(
          "As for vLLM, with names that begin with `ray_vllm_` in place of `vllm:`. Older ones begin"
              + " with `ray_vllm:`, and counters may lack `_total`.");
    } else if (dialect.id().endsWith("-renamed")) {
      String other = dialect.title().replaceFirst(",.*", "");
      paragraph("As for " + other + ", with `_` in place of the colon in names.");
    }
    return underRay || dialect.id().endsWith("-renamed");
  }

  private void alternatives(Mapping mapping) {
    boolean several = mapping.alternatives().size() > 1;
    int number = 0;
    for (Alternative alternative : mapping.alternatives()) {
      number++;
      paragraph((several ? number + ". " : "") + description(alternative));
      code(alternative.template().text());
    }
  }

  private static String description(Alternative alternative) {
    StringBuilder text = new StringBuilder(SignalReference.word(alternative.quality()));
    if (alternative.since() != null || alternative.last() != null) {
      text.append(", release ")
          .append(VersionRange.between(alternative.since(), alternative.last(), "").text());
    }
    if (alternative.buckets()) {
      text.append(", from the buckets of a histogram");
    }
    text.append('.');
    if (alternative.counts() != null && alternative.counts() != Population.MOMENT) {
      text.append(" It counts ").append(alternative.counts().words()).append('.');
    }
    for (String more : Arrays.asList(alternative.note(), alternative.mixes())) {
      text.append(more == null ? "" : " " + more);
    }
    return text.toString();
  }

  private void absence(Mapping mapping) {
    List<String> sentences = new ArrayList<>();
    if (mapping.absent() != null) {
      sentences.add("**If it is missing:** " + mapping.absent());
    }
    if (mapping.fix() != null) {
      sentences.add(fix(mapping.fix()));
    }
    if (mapping.blank() != null) {
      sentences.add("**If it has no value:** " + mapping.blank());
    }
    if (!sentences.isEmpty()) {
      paragraph(String.join(" ", sentences));
    }
  }

  private static String fix(String fix) {
    String code =
        fix.startsWith("-") && !fix.contains(",")
            ? "`" + fix.replace("\n", "` `") + "`"
            : fix.replace("\n", " ");
    return "**Fix:** " + (code.endsWith(".") ? code : code + ".");
  }

  private void lacking() {
    List<String> silent = new ArrayList<>();
    List<String> told = new ArrayList<>();
    for (Dialect dialect : dialects()) {
      Mapping mapping = dialect.mappings().get(first.base());
      if (mapping == null) {
        silent.add(dialect.title());
      } else if (mapping.alternatives().isEmpty()) {
        String why = mapping.absent() == null ? "" : mapping.absent();
        told.add(
            "- "
                + dialect.title()
                + ": "
                + (mapping.fix() == null ? why : why + " " + fix(mapping.fix())));
      }
    }
    boolean everybody = silent.size() + told.size() == dialects().size();
    if (first.formula() != null || everybody) {
      silent.clear();
    }
    if (silent.isEmpty() && told.isEmpty()) {
      return;
    }
    line("## Who lacks it");
    line("");
    told.forEach(this::line);
    if (!told.isEmpty()) {
      line("");
    }
    if (!silent.isEmpty()) {
      paragraph("Nothing for it: " + String.join(", ", silent) + ".");
    }
  }

  private void code(String promql) {
    line("```promql");
    wrapped(promql).forEach(this::line);
    line("```");
    line("");
  }

  /** Breaks before operators first, and anywhere between words if that isn't enough. */
  static List<String> wrapped(String promql) {
    if (promql.length() <= WIDTH) {
      return List.of(promql);
    }
    List<String> lines = new ArrayList<>();
    for (String part :
        promql.split(" (?=(?:or|and|unless) |[/*] \\(?|[-+] (?:sum|avg|max|min) )")) {
      StringBuilder current = new StringBuilder(lines.isEmpty() ? "" : "  ");
      for (String word : part.split(" ")) {
        if (current.length() + word.length() > WIDTH) {
          lines.add(current.toString().stripTrailing());
          current = new StringBuilder("    ");
        }
        current.append(word).append(' ');
      }
      lines.add(current.toString().stripTrailing());
    }
    return lines;
  }

  private void paragraph(String text) {
    line(text);
    line("");
  }

  private void line(String text) {
    page.append(text).append('\n');
  }

  private static String lower(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT);
  }
}
