package org.inferometer.lint;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.inferometer.signals.EditDistance;
import org.inferometer.signals.Families;
import org.inferometer.signals.Families.Match;
import org.inferometer.signals.Families.Part;
import org.inferometer.signals.Family;
import org.inferometer.signals.FamilyType;
import org.jspecify.annotations.Nullable;

/** Judges metric names by what the dialects list. Not thread-safe. */
final class MetricNames {
  private static final Set<Part> OF_A_HISTOGRAM = Set.of(Part.BUCKET, Part.SUM, Part.COUNT);

  private final Families families;
  private final Facts facts;
  private final Set<String> recorded;

  /**
   * @param recorded names that rules of the same run give to series
   */
  MetricNames(Families families, Facts facts, Set<String> recorded) {
    this.families = families;
    this.facts = facts;
    this.recorded = Set.copyOf(recorded);
  }

  /** What a name turned out to be. */
  sealed interface Judged {
    /** What the name stands for, as far as that is known. */
    default List<Match> matches() {
      return List.of();
    }
  }

  /** Current releases have it. */
  record Known(List<Match> matches) implements Judged {}

  /**
   * Older releases had it.
   *
   * @param own what it was
   * @param borrowers what else still has a metric of this name
   */
  record Removed(List<Match> own, List<Match> borrowers) implements Judged {
    @Override
    public List<Match> matches() {
      List<Match> all = new ArrayList<>(own);
      all.addAll(borrowers);
      return all;
    }
  }

  /** A name that people write and nothing exposes. */
  record Mistaken(Families.Mistake mistake) implements Judged {}

  /** A counter's name in the engine's source, which is exposed with {@code _total}. */
  record WithoutTotal(String exposed, List<Match> matches) implements Judged {}

  /** The name of a whole histogram, of which only the parts are series. */
  record WholeHistogram(Family family) implements Judged {
    @Override
    public List<Match> matches() {
      return List.of(new Match(family, Part.VALUE));
    }
  }

  /** Buckets of a family that has none. */
  record WithoutBuckets(Family family) implements Judged {}

  /** A known name whose colon was replaced, which happens only on some ways. */
  record Escaped(String known, List<Match> matches) implements Judged {}

  /**
   * A name in the namespace of an engine that doesn't have it.
   *
   * @param near a name that it has, null if none is similar
   */
  record Unknown(Facts.Namespace namespace, @Nullable String near, boolean isTypo)
      implements Judged {}

  /** Nobody knows anything of it. */
  record Foreign() implements Judged {}

  /** Given to series by a rule. */
  record Recorded() implements Judged {}

  Judged judge(String name) {
    return judge(name, Set.of());
  }

  /**
   * @param labels that the series must have, but for those that any target may bring
   */
  Judged judge(String name, Set<String> labels) {
    if (recorded.contains(name)) {
      return new Recorded();
    }
    List<Match> found = withLabels(families.find(name), labels);
    if (!found.isEmpty()) {
      return listed(name, found);
    }
    Families.Mistake mistake = families.mistake(name);
    if (mistake != null && mistake.means() == null) {
      return new Mistaken(mistake);
    }
    Judged variant = variant(name);
    if (variant != null) {
      return variant;
    }
    return mistake == null ? unlisted(name) : new Mistaken(mistake);
  }

  /** Of several families of one name those that can have the labels, all if none can. */
  private static List<Match> withLabels(List<Match> matches, Set<String> labels) {
    List<Match> fitting =
        matches.stream().filter(m -> m.family().labels().containsAll(labels)).toList();
    return fitting.isEmpty() ? matches : fitting;
  }

  private Judged listed(String name, List<Match> found) {
    List<Match> current = found.stream().filter(m -> m.family().isCurrent()).toList();
    if (current.isEmpty()) {
      return new Removed(found, List.of());
    }
    Facts.Namespace namespace = facts.namespace(name);
    String owner = namespace == null ? null : namespace.dialect();
    List<Match> own = found.stream().filter(m -> m.family().dialect().equals(owner)).toList();
    boolean gone = !own.isEmpty() && own.stream().noneMatch(m -> m.family().isCurrent());
    List<Match> ownFirst = new ArrayList<>(current);
    ownFirst.sort(Comparator.comparing(m -> !m.family().dialect().equals(owner)));
    return gone ? new Removed(own, current) : known(name, ownFirst);
  }

  private static Judged known(String name, List<Match> matches) {
    boolean escaped =
        name.indexOf(':') < 0
            && matches.stream().allMatch(m -> m.family().name().indexOf(':') >= 0);
    return escaped ? new Escaped(sample(matches.getFirst()), matches) : new Known(matches);
  }

  /** The name of a sample of a family. */
  static String sample(Match match) {
    String name = match.family().name();
    return switch (match.part()) {
      case BUCKET -> name + "_bucket";
      case SUM -> name + "_sum";
      case COUNT -> name + "_count";
      case CREATED -> name + "_created";
      case VALUE -> name;
    };
  }

  /** A name that is made from a listed one by a common slip. */
  private @Nullable Judged variant(String name) {
    List<Match> total = families.find(name + "_total");
    if (total.stream().anyMatch(m -> m.family().type() == FamilyType.COUNTER)) {
      return new WithoutTotal(name + "_total", total);
    }
    List<Match> buckets = families.find(name + "_bucket");
    if (!buckets.isEmpty()) {
      return new WholeHistogram(preferred(buckets).family());
    }
    if (name.endsWith("_bucket")) {
      List<Match> base = families.find(name.substring(0, name.length() - "_bucket".length()));
      return base.isEmpty() ? null : new WithoutBuckets(preferred(base).family());
    }
    return null;
  }

  private static Match preferred(List<Match> matches) {
    return matches.stream()
        .filter(m -> m.family().isCurrent())
        .findFirst()
        .orElse(matches.getFirst());
  }

  private Judged unlisted(String name) {
    Facts.Namespace namespace = facts.namespace(name);
    if (namespace == null) {
      return new Foreign();
    }
    if (namespace.colon() != null) {
      String listed = namespace.colon() + name.substring(namespace.prefix().length());
      Judged judged = judge(listed);
      if (!(judged instanceof Unknown) && !namespace.escaped()) {
        return judged;
      }
      return judged instanceof Unknown unknown
          ? new Unknown(namespace, unknown.near(), unknown.isTypo())
          : judged;
    }
    String near = nearest(name, namespace);
    return new Unknown(
        namespace, near, near != null && EditDistance.of(name, near, 3) <= typoMax(name));
  }

  private static int typoMax(String name) {
    return name.length() > 12 ? 2 : 1;
  }

  /** The most similar listed name of a namespace, current ones first. */
  private @Nullable String nearest(String name, Facts.Namespace namespace) {
    int max = Math.max(2, (name.length() - namespace.prefix().length()) / 3);
    List<String> samples = new ArrayList<>();
    for (Family family : families.all()) {
      if (family.isCurrent() && family.name().startsWith(namespace.prefix())) {
        samples.addAll(samples(family, name));
      }
    }
    return samples.stream()
        .filter(sample -> EditDistance.of(name, sample, max) <= max)
        .min(
            Comparator.<String>comparingInt(sample -> EditDistance.of(name, sample, max))
                .thenComparing(Comparator.naturalOrder()))
        .orElse(null);
  }

  /** The samples of a family that a name could be meant to be. */
  private static List<String> samples(Family family, String name) {
    if (family.type() != FamilyType.HISTOGRAM) {
      return List.of(family.name());
    }
    for (String suffix : List.of("_sum", "_count")) {
      if (name.endsWith(suffix)) {
        return List.of(family.name() + suffix);
      }
    }
    return List.of(family.name() + "_bucket");
  }

  /** What a removed name is called now, for the same sample of it; null if there is nothing. */
  @Nullable String successor(Match removed) {
    String now = removed.family().now();
    if (now == null) {
      return null;
    }
    return switch (removed.part()) {
      case BUCKET -> now + "_bucket";
      case SUM -> now + "_sum";
      case COUNT -> now + "_count";
      case CREATED -> null;
      case VALUE -> now;
    };
  }

  /** Whether a name that replaces another is the same kind of thing in the same unit. */
  boolean isSame(Match old, String successor) {
    return families.find(successor).stream()
        .anyMatch(
            match ->
                match.family().isCurrent()
                    && match.part() == old.part()
                    && match.family().type() == old.family().type()
                    && match.family().unit().equals(old.family().unit()));
  }

  boolean isListed(String name) {
    return !families.find(name).isEmpty();
  }

  List<Match> find(String name) {
    return families.find(name);
  }

  List<Family> all() {
    return families.all();
  }

  static boolean isOfHistogram(Match match) {
    return OF_A_HISTOGRAM.contains(match.part());
  }
}
