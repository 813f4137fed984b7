package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pages of the docs that tell about signals: one for each, and an index with what is common.
 */
final class SignalReference {
  private final Catalogue catalogue;
  private final StringBuilder page = new StringBuilder();

  SignalReference(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** The text of each signal's page, by its base name. */
  Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    byBase().forEach((base, all) -> pages.put(base, new SignalPage(catalogue, all).markdown()));
    return pages;
  }

  private Map<String, List<Signal>> byBase() {
    Map<String, List<Signal>> byBase = new LinkedHashMap<>();
    for (Signal signal : catalogue.signals()) {
      byBase.computeIfAbsent(signal.base(), base -> new ArrayList<>()).add(signal);
    }
    return byBase;
  }

  String index() {
    page.append(
        """
        # Signals

        A signal is a quantity of serving that means the same for every engine. Pages, rules and exports name signals; how an
        engine exposes one is said in its dialect. Each signal has a page of its own, made from
        `server/src/main/resources/signals/`; change it there and run the tests with `-Dinferometer.golden=write`.

        ## How to read the pages

        A signal's quality is *exact* when the engine measures that very quantity, *derived* when it is computed from exact ones,
        *estimated* when an assumption is made, *proxy* when it is another quantity that moves with the one meant.

        In the PromQL `$scope` stands for the matchers of a service (its targets and its model), `$targets` for those of its
        targets alone, `$window` for the rate window and `$by` for the labels by which the caller splits. The window is four
        scrape intervals, or a step and an interval if that is longer, and at least 60 s. `$label_value(metric, label)` is the
        number that a label says, the product if several labels are named; `$name_count(metric, label)` is how many names a label
        of the newest series lists, as powers of two to be added up; `$fact(name)` is a number that was told or seen, such as how many GPUs there are.

        Of several ways the first that the target's metrics allow is taken, whatever release it says it is. For quantiles the
        query gives the rates of the buckets; the value is that of `histogram_quantile`, and the edges of the bucket in which it
        lies come with it.

        """);
    for (Layer layer : Layer.values()) {
      layer(layer);
    }
    dialects();
    judgement();
    return page.toString();
  }

  private void layer(Layer layer) {
    page.append("## ").append(word(layer)).append(" layer\n\n");
    page.append(
        "| signal | title | unit | kind | meaning | exposed by |\n|---|---|---|---|---|---|\n");
    byBase()
        .forEach(
            (base, all) -> {
              Signal signal = all.getFirst();
              if (signal.layer() == layer) {
                row(
                    "[`" + base + "`](signals/" + base + ".md)" + quantiles(all),
                    SignalPage.title(signal),
                    signal.unit(),
                    word(signal.kind()).toLowerCase(Locale.ROOT),
                    signal.meaning(),
                    exposedBy(signal));
              }
            });
    page.append('\n');
  }

  private static String quantiles(List<Signal> all) {
    List<String> suffixes = new ArrayList<>();
    for (Signal signal : all) {
      if (!signal.name().equals(signal.base())) {
        suffixes.add("`" + signal.name().substring(signal.base().length()) + "`");
      }
    }
    return suffixes.isEmpty() ? "" : " " + String.join(" ", suffixes);
  }

  private @Nullable String exposedBy(Signal signal) {
    long count =
        catalogue.dialects().stream()
            .map(dialect -> dialect.mappings().get(signal.base()))
            .filter(mapping -> mapping != null && !mapping.alternatives().isEmpty())
            .count();
    String computed = signal.formula() == null ? null : "computed";
    return count == 0 ? computed : computed == null ? String.valueOf(count) : count + ", computed";
  }

  static @Nullable String healthy(@Nullable HealthyRange range) {
    if (range == null) {
      return null;
    }
    String low = range.low() == null ? "" : "at least " + number(range.low()) + " ";
    String high = range.high() == null ? "" : "at most " + number(range.high()) + " ";
    return (low + high).strip() + ". " + range.source();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  private void dialects() {
    page.append("## Engines and exporters\n\n");
    page.append("| engine or exporter | recognised by | signals |\n|---|---|---|\n");
    for (Dialect dialect : catalogue.dialects()) {
      long count =
          dialect.mappings().values().stream()
              .filter(mapping -> !mapping.alternatives().isEmpty())
              .count();
      row(
          dialect.title(),
          ways(dialect.identify()),
          dialect.isMapped() ? String.valueOf(count) : "not mapped");
    }
    page.append('\n');
  }

  /** What a page is known by: how names begin, or what is there together. */
  private static String ways(List<Fingerprint> fingerprints) {
    List<String> ways = new ArrayList<>();
    List<String> prefixes = new ArrayList<>();
    for (Fingerprint one : fingerprints) {
      if (one.prefix() == null) {
        ways.add(
            String.join(" and ", one.families().stream().map(name -> "`" + name + "`").toList()));
      } else {
        String label = one.label() == null ? "" : " with a label `" + one.label() + "`";
        prefixes.add("`" + one.prefix() + "`" + label);
      }
    }
    if (!prefixes.isEmpty()) {
      ways.addFirst("names that begin with " + String.join(", ", prefixes));
    }
    return String.join("; or ", ways);
  }

  private void judgement() {
    page.append("## How services are judged\n\n| kind | signal | holds | state | source |\n");
    page.append("|---|---|---|---|---|\n");
    for (Rule rule : catalogue.judgement().rules()) {
      row(
          word(rule.kind()).toLowerCase(Locale.ROOT),
          "`" + rule.signal().name() + "`",
          holds(rule),
          word(rule.state()).toLowerCase(Locale.ROOT),
          rule.source());
    }
    page.append("\nA goal makes a service degraded from ")
        .append(number(catalogue.judgement().goalDegradedFactor()))
        .append(" times its value on, critical from ")
        .append(number(catalogue.judgement().goalCriticalFactor()))
        .append(" times on. An engine of which nothing was asked for ")
        .append(Phrases.duration(catalogue.judgement().idleWindowMs()))
        .append(" is idle.\n");
  }

  /** For sentences: "above 0.9". */
  static String holds(Rule rule) {
    return rule.above() == null
        ? "one of " + String.join(", ", rule.anyOf().stream().map(SignalReference::number).toList())
        : "above " + number(rule.above());
  }

  private void row(@Nullable String... cells) {
    page.append('|');
    for (String cell : cells) {
      page.append(' ').append(cell == null ? "" : cell.replace("|", "\\|")).append(" |");
    }
    page.append('\n');
  }

  static String word(Enum<?> constant) {
    String name = constant.name().toLowerCase(Locale.ROOT);
    return name.equals("gpu") ? "GPU" : Phrases.sentence(name);
  }
}
