package org.inferometer.diagnosis;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.inferometer.diagnosis.threshold.Threshold;
import org.inferometer.signals.Phrases;

/**
 * A page for each cause in Markdown: what it is, how it looks in each layer, how it is told from
 * what looks alike, what to do. Made from what the diagnosis itself reads.
 */
public final class CausePages {
  private final Causes causes = Causes.builtIn();
  private final UnaryOperator<String> signalLink;
  private final Function<String, Collection<Threshold>> thresholds;

  /**
   * @param signalLink writes a link to what is known of a signal
   * @param thresholds by which the check of a cause judges
   */
  public CausePages(
      UnaryOperator<String> signalLink, Function<String, Collection<Threshold>> thresholds) {
    this.signalLink = signalLink;
    this.thresholds = thresholds;
  }

  /** All pages by the name of their file, the index among them. */
  public Map<String, String> pages() {
    Map<String, String> pages = new LinkedHashMap<>();
    StringBuilder index = new StringBuilder("# Causes\n\n");
    index.append("What a [diagnosis](../reference/diagnosis.md) can name, by layer.\n\n");
    index.append("| cause | id | layer | what it is |\n|---|---|---|---|\n");
    for (Cause cause : causes.all()) {
      pages.put(cause.id() + ".md", page(cause));
      index.append(
          "| [%s](%s.md) | `%s` | %s | %s |\n"
              .formatted(cause.title(), cause.id(), cause.id(), cause.layer(), first(cause.is())));
    }
    pages.put("README.md", index.toString());
    return pages;
  }

  private static String first(String text) {
    int end = text.indexOf(". ");
    return end < 0 ? text : text.substring(0, end + 1);
  }

  private String page(Cause cause) {
    StringBuilder page = new StringBuilder();
    page.append("# ").append(cause.title()).append("\n\n");
    page.append("`").append(cause.id()).append("`, layer: ").append(cause.layer()).append("\n\n");
    page.append(cause.is()).append("\n\n## How it looks\n\n| layer | |\n|---|---|\n");
    for (Cause.Look look : cause.looks()) {
      page.append("| ").append(look.layer()).append(" | ").append(look.by()).append(" |\n");
    }
    page.append("\n## How it is told from what looks alike\n\n| it could be | but |\n|---|---|\n");
    for (Cause.Unlike other : cause.unlike()) {
      page.append("| ").append(link(other.cause())).append(" | ");
      page.append(other.by()).append(" |\n");
    }
    graph(page, cause);
    actions(page, cause);
    thresholds(page, cause);
    page.append("\n## Sources\n\n");
    cause.sources().forEach(source -> page.append("- ").append(source).append("\n"));
    return page.append("\n[All causes](README.md)\n").toString();
  }

  private String link(String id) {
    return "[%s](%s.md)".formatted(causes.get(id).title(), id);
  }

  private void graph(StringBuilder page, Cause cause) {
    List<String> from =
        causes.all().stream()
            .filter(other -> other.leadsTo().contains(cause.id()))
            .map(other -> link(other.id()))
            .toList();
    if (!from.isEmpty() || !cause.leadsTo().isEmpty()) {
      page.append("\n## What it follows from, what follows from it\n");
    }
    if (!from.isEmpty()) {
      page.append("\nIt may follow from ").append(String.join(", ", from)).append(".\n");
    }
    if (!cause.leadsTo().isEmpty()) {
      List<String> to = cause.leadsTo().stream().map(this::link).toList();
      page.append("\nIt may lead to ").append(String.join(", ", to)).append(".\n");
    }
  }

  private void actions(StringBuilder page, Cause cause) {
    List<Advice.Item> items = Advice.builtIn().of(cause.id());
    if (items.isEmpty()) {
      return;
    }
    page.append("\n## What to do\n");
    int number = 1;
    for (Advice.Item item : items) {
      page.append("\n").append(number++).append(". **").append(words(item)).append("** ");
      page.append(item.why()).append("\n");
      page.append("   - Expect: ").append(item.expect()).append("\n");
      if (item.risk() != null) {
        page.append("   - Risk: ").append(item.risk()).append("\n");
      }
      page.append("   - Confirm: ").append(confirm(item)).append("\n");
      flags(page, item);
    }
  }

  /** An action without what only a world can fill in. */
  private static String words(Advice.Item item) {
    return item.action()
        .replace("{proposed}", Objects.requireNonNullElse(item.value(), ""))
        .replace(" (today {today})", "")
        .replace("{flag}", "the flag below,")
        .replace(",,", ",")
        .replace(",.", "")
        .replace("{where}", "the place that is named")
        .replace("{model}", "MODEL");
  }

  private String confirm(Advice.Item item) {
    String signal = item.confirm();
    String run = item.run();
    String byRun =
        run == null ? "" : "`" + run.replace("{where}", "HOST").replace("{model}", "MODEL") + "`";
    if (signal == null) {
      return byRun;
    }
    String shows = Objects.requireNonNullElse(item.shows(), "");
    return signalLink.apply(signal) + " " + shows + (run == null ? "" : "; " + byRun);
  }

  private static void flags(StringBuilder page, Advice.Item item) {
    String id = item.flag();
    if (id == null) {
      return;
    }
    Flags.Flag flag = Flags.builtIn().get(id);
    StringBuilder all = new StringBuilder();
    flag.engines().keySet().stream()
        .sorted()
        .forEach(
            engine -> {
              Flags.OfEngine one = Objects.requireNonNull(flag.of(engine));
              all.append(all.isEmpty() ? "" : "; ");
              all.append(engine).append(" `").append(one.flag()).append("`");
              all.append(one.byDefault() == null ? "" : " (by default " + one.byDefault() + ")");
              all.append(one.note() == null ? "" : " (" + one.note() + ")");
            });
    page.append("   - ").append(flag.is()).append(": ").append(all).append("\n");
  }

  private void thresholds(StringBuilder page, Cause cause) {
    Collection<Threshold> used = thresholds.apply(cause.id());
    if (used.isEmpty()) {
      return;
    }
    page.append("\n## Thresholds\n\n| name | value | where it comes from |\n|---|---|---|\n");
    for (Threshold one : used) {
      page.append(
          "| `%s` | %s | %s |\n"
              .formatted(one.name(), Phrases.value(one.unit(), one.value()), one.source()));
    }
  }
}
