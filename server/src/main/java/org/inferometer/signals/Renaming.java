package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A rule by which a dialect exposes the families of another under names of its own, so that nothing
 * has to be written twice.
 *
 * @param dialect the id of the dialect that it makes
 * @param of the id of the dialect whose names it changes
 * @param prefix how the names begin there
 * @param othersStay whether names that begin in another way are the same here; else they are
 *     missing
 * @param becomes what the prefix is here
 * @param older what the prefix was here before, or null
 * @param olderLast the last release or month that had it so, or null
 * @param bareCounters whether counters may lack {@code _total}
 * @param labels that all series have in addition
 */
record Renaming(
    String dialect,
    String of,
    String prefix,
    boolean othersStay,
    String becomes,
    @Nullable String older,
    @Nullable String olderLast,
    boolean bareCounters,
    List<String> labels) {
  private static final Pattern TOTAL = Pattern.compile("_total(?![A-Za-z0-9_:])");

  Renaming {
    labels = List.copyOf(labels);
  }

  /** The dialect with what it takes from the other beside its own mappings, which come first. */
  Dialect applied(Dialect own, Dialect other) {
    Map<String, Mapping> mappings = new LinkedHashMap<>();
    other
        .mappings()
        .forEach(
            (signal, mapping) -> {
              Mapping renamed = mapping(mapping);
              if (renamed != null) {
                mappings.put(signal, renamed);
              }
            });
    mappings.putAll(own.mappings());
    return own.withMappings(mappings);
  }

  /** The mapping with the names of here, null if none of its families comes along. */
  private @Nullable Mapping mapping(Mapping mapping) {
    List<Alternative> alternatives = new ArrayList<>();
    mapping.alternatives().stream()
        .filter(one -> one.needs().stream().allMatch(name -> othersStay || name.startsWith(prefix)))
        .forEach(one -> alternatives.addAll(alternatives(one)));
    return alternatives.isEmpty() && !mapping.alternatives().isEmpty()
        ? null
        : mapping.withAlternatives(alternatives);
  }

  /** With every prefix, and with counters both ways if they come both ways. */
  private List<Alternative> alternatives(Alternative alternative) {
    List<Alternative> alternatives = new ArrayList<>();
    for (String start : prefixes()) {
      String text = renamed(alternative.template().text(), start);
      List<String> needs = alternative.needs().stream().map(n -> renamed(n, start)).toList();
      alternatives.add(alternative.with(new Template(text), needs));
      if (bareCounters && TOTAL.matcher(text).find()) {
        List<String> bare = needs.stream().map(Renaming::bare).toList();
        alternatives.add(alternative.with(new Template(bare(text)), bare));
      }
    }
    return alternatives;
  }

  private static String bare(String text) {
    return TOTAL.matcher(text).replaceAll("");
  }

  /** What a family of the other dialect is called here; several names if there are several. */
  List<Family> families(Family family) {
    if (!family.name().startsWith(prefix)) {
      return List.of();
    }
    String current = renamed(family.name(), becomes);
    String note = family.note() == null ? null : renamed(family.note(), becomes);
    String now = family.now() == null ? null : renamed(family.now(), becomes);
    List<Family> families = new ArrayList<>();
    for (String start : prefixes()) {
      boolean old = !start.equals(becomes);
      String name = renamed(family.name(), start);
      String last = old && family.last() == null ? olderLast : family.last();
      String successor = old && now == null ? current : now;
      families.add(family(family, name, last, successor, note));
      if (bareCounters && family.type() == FamilyType.COUNTER) {
        families.add(family(family, bare(name), last, successor, note));
      }
    }
    return families;
  }

  private Family family(
      Family family,
      String name,
      @Nullable String last,
      @Nullable String now,
      @Nullable String note) {
    Set<String> all = new LinkedHashSet<>(family.labels());
    all.addAll(labels);
    return new Family(
        dialect,
        name,
        family.type(),
        family.declared(),
        family.unit(),
        List.copyOf(all),
        family.since(),
        last,
        now,
        family.counts(),
        family.enable(),
        note);
  }

  private List<String> prefixes() {
    return older == null ? List.of(becomes) : List.of(becomes, older);
  }

  /** With another start of every name that begins with the prefix and goes on with a letter. */
  private String renamed(String text, String start) {
    StringBuilder renamed = new StringBuilder();
    int copied = 0;
    for (int at = text.indexOf(prefix); at >= 0; at = text.indexOf(prefix, at + 1)) {
      int end = at + prefix.length();
      if (at >= copied && beginsName(text, at) && isLowerCaseLetter(text, end)) {
        renamed.append(text, copied, at).append(start);
        copied = end;
      }
    }
    return renamed.append(text, copied, text.length()).toString();
  }

  private static boolean beginsName(String text, int at) {
    return at == 0 || !isInName(text.charAt(at - 1));
  }

  private static boolean isInName(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '_'
        || c == ':';
  }

  private static boolean isLowerCaseLetter(String text, int at) {
    return at < text.length() && text.charAt(at) >= 'a' && text.charAt(at) <= 'z';
  }
}
