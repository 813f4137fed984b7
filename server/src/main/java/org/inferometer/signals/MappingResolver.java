package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/** Chooses among a dialect's ways to a signal by what the members of a service expose. */
final class MappingResolver {
  private static final String CUT =
      "This release has it, so the page is cut or filtered, or nothing has happened yet.";

  private final Binding binding;
  private final Dialect dialect;
  private final Mapping mapping;

  MappingResolver(Binding binding, Dialect dialect, Mapping mapping) {
    this.binding = binding;
    this.dialect = dialect;
    this.mapping = mapping;
  }

  /** The alternative that most members can feed, the first of those that are equal. */
  Resolution resolve() {
    Alternative best = null;
    int bestCount = 0;
    TemplateCall.Missing missing = null;
    for (Alternative alternative : mapping.alternatives()) {
      int count = feeders(alternative);
      TemplateCall.Missing untold =
          count == 0 ? null : alternative.template().missing(binding.known());
      if (untold != null) {
        missing = missing == null ? untold : missing;
      } else if (count > bestCount) {
        best = alternative;
        bestCount = count;
      }
    }
    if (best != null) {
      return found(best, bestCount);
    }
    return missing == null ? new Resolution.Absent(why(), absence(), fix()) : absent(missing);
  }

  private Resolution.Found found(Alternative alternative, int count) {
    List<String> assumptions = alternative.template().assumptions(binding.known());
    Quality quality = alternative.quality();
    return new Resolution.Found(
        alternative.template()::render,
        alternative.buckets(),
        assumptions.isEmpty() ? quality : Resolver.worse(quality, Quality.ESTIMATED),
        alternative.counts(),
        reason(alternative, count, assumptions),
        mapping.blank());
  }

  private int feeders(Alternative alternative) {
    int count = 0;
    for (Binding.Member member : binding.members()) {
      count += member.facts().families().containsAll(alternative.needs()) ? 1 : 0;
    }
    return count;
  }

  private Resolution absent(TemplateCall.Missing missing) {
    String fix = missing.fix() == null ? mapping.fix() : missing.fix();
    return new Resolution.Absent(missing.why(), missing.reason(), fix);
  }

  /** What deviates: the alternative, the replicas that lack it, numbers that were only seen. */
  private @Nullable String reason(Alternative alternative, int count, List<String> assumptions) {
    List<String> sentences = new ArrayList<>();
    if (alternative.note() != null) {
      sentences.add(alternative.note());
    }
    if (count != binding.members().size()) {
      sentences.add(
          "From " + count + " of " + binding.members().size() + " replicas; the others lack it.");
    }
    sentences.addAll(assumptions);
    return sentences.isEmpty() ? null : String.join(" ", sentences);
  }

  private Absence why() {
    return isCut() ? Absence.BROKEN : stated();
  }

  private Absence stated() {
    if (mapping.why() != null) {
      return mapping.why();
    }
    return mapping.alternatives().isEmpty() ? Absence.ENGINE : Absence.RELEASE;
  }

  /** What brings it; never a release that is there already. */
  private @Nullable String fix() {
    return stated() == Absence.RELEASE && releaseHasIt() ? null : mapping.fix();
  }

  /** Whether it should be there by the release, and the dialect knows no reason why it isn't. */
  private boolean isCut() {
    return stated() == Absence.RELEASE && releaseHasIt() && mapping.absent() == null;
  }

  private boolean releaseHasIt() {
    Version since =
        mapping.alternatives().isEmpty() ? null : mapping.alternatives().getFirst().since();
    VersionRange version = binding.version();
    return since != null && version != null && version.isAtLeast(since.toString());
  }

  private String absence() {
    List<String> sentences = new ArrayList<>();
    if (!mapping.alternatives().isEmpty()) {
      Alternative preferred = mapping.alternatives().getFirst();
      Set<String> missing = missing(preferred);
      String verb = missing.size() == 1 ? " isn't exposed." : " aren't exposed.";
      sentences.add(String.join(", ", missing) + verb);
      if (isCut()) {
        sentences.add(CUT);
      } else if (preferred.since() != null && !releaseHasIt()) {
        sentences.add(dialect.title() + " has it since " + preferred.since() + ".");
      }
    }
    if (mapping.absent() != null) {
      sentences.add(mapping.absent());
    }
    return String.join(" ", sentences);
  }

  private Set<String> missing(Alternative alternative) {
    Set<String> missing = new TreeSet<>(alternative.needs());
    binding.members().forEach(member -> missing.removeAll(member.facts().families()));
    return missing.isEmpty() ? new TreeSet<>(alternative.needs()) : missing;
  }
}
