package org.inferometer.check;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** An endpoint in one sentence. */
final class Verdicts {
  /** The facets that decide how a page is read; the others are told below. */
  private static final Set<String> TELLING =
      Set.of("frontend", "front end", "mode", "role", "parallel", "mig");

  private Verdicts() {}

  /**
   * @param todo how many things there are to do
   */
  static String of(List<Part> parts, ParsedPage page, int todo) {
    Set<String> names = new LinkedHashSet<>();
    parts.stream().filter(Part::isKnown).forEach(part -> names.add(name(part)));
    String what = names.isEmpty() ? unknown(page) : String.join(" and ", names);
    return what + ": " + words(todo);
  }

  private static String unknown(ParsedPage page) {
    int families = (int) page.metrics().stream().map(page::family).distinct().count();
    return "Not an engine or exporter that is known, " + PageChecks.words(families, "metric");
  }

  private static String words(int todo) {
    return switch (todo) {
      case 0 -> "nothing to do";
      case 1 -> "1 thing to do";
      default -> todo + " things to do";
    };
  }

  /** A part with its release and how it runs. */
  static String name(Part part) {
    List<String> words = new ArrayList<>(List.of(release(part)));
    part.facets().stream()
        .filter(facet -> TELLING.contains(facet.name()))
        .forEach(facet -> words.add(words(facet)));
    return String.join(", ", words);
  }

  private static String release(Part part) {
    return part.version() == null || part.version().text().equals("unknown")
        ? part.engine().title()
        : part.engine().title() + " " + part.version().text();
  }

  private static String words(Part.FacetValue facet) {
    boolean isAName = facet.value().matches("[A-Z][a-z]+");
    return facet.name().equals("frontend") && isAName
        ? facet.value() + " front end"
        : facet.value();
  }
}
