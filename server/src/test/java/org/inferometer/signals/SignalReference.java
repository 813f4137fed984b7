package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The page of the docs that lists signals, who feeds them, and how services are judged. */
final class SignalReference {
  private final Catalogue catalogue;
  private final StringBuilder page = new StringBuilder();

  SignalReference(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  String markdown() {
    page.append(
        """
        # Signals

        A signal is a quantity of serving that means the same for every engine. Pages, rules and exports name signals; how an
        engine exposes one is said in its dialect. This page is made from `server/src/main/resources/signals/`; change it there
        and run the tests with `-Dinferometer.golden=write`.

        A signal's quality is *exact* when the engine measures that very quantity, *derived* when it is computed from exact ones,
        *estimated* when an assumption is made, *proxy* when it is another quantity that moves with the one meant.

        """);
    for (Layer layer : Layer.values()) {
      layer(layer);
    }
    page.append(
        """
        ## Dialects

        In the PromQL `$scope` stands for the matchers of a service (its targets and its model), `$targets` for those of its
        targets alone, `$window` for the rate window and `$by` for the labels by which the caller splits. The window is four
        scrape intervals, or a step and an interval if that is longer, and at least 60 s. Of several ways the first that the
        target's metrics allow is taken. For quantiles the query gives the rates of the buckets; the value is that of
        `histogram_quantile`, and the edges of the bucket in which it lies come with it.

        """);
    catalogue.dialects().stream().filter(Dialect::isMapped).forEach(this::dialect);
    known();
    judgement();
    return page.toString();
  }

  private void layer(Layer layer) {
    page.append("## ").append(word(layer)).append(" layer\n\n");
    page.append("| name | title | unit | kind | meaning | caveat | healthy |\n");
    page.append("|---|---|---|---|---|---|---|\n");
    for (Signal signal : catalogue.vocabulary().signals()) {
      if (signal.layer() == layer) {
        row(
            "`" + signal.name() + "`",
            signal.title(),
            signal.unit(),
            word(signal.kind()).toLowerCase(Locale.ROOT),
            signal.meaning(),
            signal.caveat(),
            healthy(signal.healthy()));
      }
    }
    page.append('\n');
  }

  private static @Nullable String healthy(@Nullable HealthyRange range) {
    if (range == null) {
      return null;
    }
    String low = range.low() == null ? "" : "at least " + Phrases.number(range.low()) + " ";
    String high = range.high() == null ? "" : "at most " + number(range.high()) + " ";
    return (low + high).strip() + ". " + range.source();
  }

  private static String number(double value) {
    return value == Math.rint(value) ? String.valueOf((long) value) : String.valueOf(value);
  }

  private void dialect(Dialect dialect) {
    page.append("### ").append(dialect.title()).append("\n\n");
    page.append("| signal | PromQL | quality | releases | note |\n|---|---|---|---|---|\n");
    List<String> seen = new ArrayList<>();
    for (Signal signal : catalogue.vocabulary().signals()) {
      Mapping mapping = dialect.mappings().get(signal.base());
      if (mapping == null || seen.contains(signal.base())) {
        continue;
      }
      seen.add(signal.base());
      String name = "`" + signal.base() + "`";
      if (mapping.alternatives().isEmpty()) {
        row(name, null, "absent", null, mapping.absent());
      }
      for (Alternative alternative : mapping.alternatives()) {
        row(
            name,
            "`" + alternative.template().text() + "`",
            word(alternative.quality()).toLowerCase(Locale.ROOT),
            releases(alternative),
            note(alternative, mapping));
      }
    }
    page.append('\n');
  }

  private static @Nullable String note(Alternative alternative, Mapping mapping) {
    if (alternative.note() == null) {
      return mapping.absent();
    }
    return mapping.absent() == null
        ? alternative.note()
        : alternative.note() + " " + mapping.absent();
  }

  private static @Nullable String releases(Alternative alternative) {
    return alternative.since() == null && alternative.last() == null
        ? null
        : VersionRange.between(alternative.since(), alternative.last(), "").text();
  }

  private void known() {
    page.append("## Recognised, not mapped yet\n\n| engine | recognised by |\n|---|---|\n");
    for (Dialect dialect : catalogue.dialects()) {
      if (!dialect.isMapped()) {
        List<String> ways = dialect.identify().stream().map(Fingerprint::because).toList();
        row(dialect.title(), String.join("; ", ways));
      }
    }
    page.append('\n');
  }

  private void judgement() {
    page.append("## How services are judged\n\n| kind | signal | holds | state | source |\n");
    page.append("|---|---|---|---|---|\n");
    for (Rule rule : catalogue.judgement().rules()) {
      row(
          word(rule.kind()).toLowerCase(Locale.ROOT),
          "`" + rule.signal().name() + "`",
          rule.above() == null
              ? "one of "
                  + String.join(", ", rule.anyOf().stream().map(SignalReference::number).toList())
              : "above " + number(rule.above()),
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

  private void row(@Nullable String... cells) {
    page.append('|');
    for (String cell : cells) {
      page.append(' ').append(cell == null ? "" : cell.replace("|", "\\|")).append(" |");
    }
    page.append('\n');
  }

  private static String word(Enum<?> constant) {
    String name = constant.name().toLowerCase(Locale.ROOT);
    return name.equals("gpu") ? "GPU" : Phrases.sentence(name);
  }
}
