package org.inferometer.signals;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * A service as found: which targets make it up, in which dialect they speak, and how each signal is
 * asked of them.
 *
 * @param dialect null if it isn't known
 * @param model null if there is none
 * @param because what it was recognised by
 * @param known what its members expose and what was told of it
 */
record Binding(
    String id,
    ServiceKind kind,
    String name,
    @Nullable Dialect dialect,
    @Nullable String modelLabel,
    @Nullable String model,
    @Nullable VersionRange version,
    List<Member> members,
    String because,
    Known known) {
  Binding {
    members = List.copyOf(members);
  }

  /** This service with what was told of it. */
  Binding with(Map<Fact, Known.Told> facts) {
    return new Binding(
        id,
        kind,
        name,
        dialect,
        modelLabel,
        model,
        version,
        members,
        because,
        new Known(members.stream().map(Member::facts).toList(), facts));
  }

  /** One target of a service. */
  record Member(TargetScan.Scraped scraped, TargetFacts facts) {
    Target target() {
      return scraped.target();
    }
  }

  /** How a signal is asked, or why it can't be. */
  sealed interface Resolution {
    /**
     * @param reason what to say about its values, or null
     * @param blank what to say if there are none, or null
     */
    record Found(Alternative alternative, @Nullable String reason, @Nullable String blank)
        implements Resolution {}

    /**
     * @param reason a sentence
     * @param fix what brings it, or null
     */
    record Absent(Absence why, String reason, @Nullable String fix) implements Resolution {
      static Absent of(Absence why, String reason) {
        return new Absent(why, reason, null);
      }
    }
  }

  Resolution resolve(Signal signal) {
    if (dialect == null) {
      return Resolution.Absent.of(Absence.ENGINE, because);
    }
    if (!kind.layers().contains(signal.layer())) {
      return Resolution.Absent.of(Absence.ENGINE, "not a signal of " + dialect.title());
    }
    if (!dialect.isMapped()) {
      return Resolution.Absent.of(
          Absence.ENGINE, "the signals of " + dialect.title() + " aren't mapped yet");
    }
    Mapping mapping = dialect.mappings().get(signal.base());
    return mapping == null
        ? Resolution.Absent.of(Absence.ENGINE, dialect.title() + " has nothing for it")
        : resolve(dialect, mapping);
  }

  /** The alternative that most members can feed, the first of those that are equal. */
  private Resolution resolve(Dialect spoken, Mapping mapping) {
    Alternative best = null;
    int bestCount = 0;
    TemplateCall.Missing missing = null;
    for (Alternative alternative : mapping.alternatives()) {
      int count = feeders(alternative);
      TemplateCall.Missing untold = count == 0 ? null : alternative.template().missing(known);
      if (untold != null) {
        missing = missing == null ? untold : missing;
      } else if (count > bestCount) {
        best = alternative;
        bestCount = count;
      }
    }
    if (best != null) {
      return new Resolution.Found(best, reason(best, bestCount), mapping.blank());
    }
    return missing == null
        ? new Resolution.Absent(why(mapping), absence(spoken, mapping), mapping.fix())
        : absent(missing, mapping);
  }

  private int feeders(Alternative alternative) {
    int count = 0;
    for (Member member : members) {
      count += member.facts().families().containsAll(alternative.needs()) ? 1 : 0;
    }
    return count;
  }

  private static Resolution absent(TemplateCall.Missing missing, Mapping mapping) {
    String fix = missing.fix() == null ? mapping.fix() : missing.fix();
    return new Resolution.Absent(missing.why(), missing.reason(), fix);
  }

  /** What deviates: the alternative, the replicas that lack it, numbers that were only seen. */
  private @Nullable String reason(Alternative alternative, int count) {
    List<String> sentences = new ArrayList<>();
    if (alternative.note() != null) {
      sentences.add(alternative.note());
    }
    if (count != members.size()) {
      sentences.add("From " + count + " of " + members.size() + " replicas; the others lack it.");
    }
    sentences.addAll(alternative.template().assumptions(known));
    return sentences.isEmpty() ? null : String.join(" ", sentences);
  }

  private static Absence why(Mapping mapping) {
    if (mapping.why() != null) {
      return mapping.why();
    }
    return mapping.alternatives().isEmpty() ? Absence.ENGINE : Absence.RELEASE;
  }

  private String absence(Dialect spoken, Mapping mapping) {
    List<String> sentences = new ArrayList<>();
    if (!mapping.alternatives().isEmpty()) {
      Alternative preferred = mapping.alternatives().getFirst();
      Set<String> missing = missing(preferred);
      String verb = missing.size() == 1 ? " isn't exposed." : " aren't exposed.";
      sentences.add(String.join(", ", missing) + verb);
      if (preferred.since() != null) {
        sentences.add(spoken.title() + " has it since " + preferred.since() + ".");
      }
    }
    if (mapping.absent() != null) {
      sentences.add(mapping.absent());
    }
    return String.join(" ", sentences);
  }

  private Set<String> missing(Alternative alternative) {
    Set<String> missing = new TreeSet<>(alternative.needs());
    members.forEach(member -> missing.removeAll(member.facts().families()));
    return missing.isEmpty() ? new TreeSet<>(alternative.needs()) : missing;
  }

  /** The rate window for a step between values; see {@link RateWindow}. */
  long windowMs(long stepMs) {
    long interval = 0;
    for (Member member : members) {
      interval = Math.max(interval, member.scraped().health().intervalMs());
    }
    return RateWindow.of(interval, stepMs);
  }

  Template.Values values(List<String> by, long windowMs) {
    List<Matcher> targets = Target.matchers(members.stream().map(Member::target).toList());
    List<Matcher> scope = new ArrayList<>(targets);
    if (modelLabel != null && model != null) {
      scope.add(Matcher.equal(modelLabel, model));
    }
    return new Template.Values(scope, targets, by, windowMs, known);
  }

  /** The machines on which its targets run, by all names that are known. */
  Set<String> hosts() {
    Set<String> hosts = new TreeSet<>();
    for (Member member : members) {
      hosts.add(member.target().host());
      Labels up = member.scraped().labels();
      for (String label : List.of("node", "nodename", "hostname", "Hostname")) {
        addIfPresent(hosts, up.get(label));
      }
      if (dialect != null) {
        dialect.hostLabels().forEach(label -> hosts.addAll(member.facts().values(label)));
      }
    }
    return hosts;
  }

  private static void addIfPresent(Set<String> values, String value) {
    if (!value.isEmpty()) {
      values.add(value);
    }
  }

  /** The pods in which its targets run. */
  Set<String> pods() {
    Set<String> pods = new TreeSet<>();
    members.forEach(member -> addIfPresent(pods, member.scraped().labels().get("pod")));
    return pods;
  }

  /** The pods that use what it watches. */
  Set<String> workloadPods() {
    Set<String> pods = new TreeSet<>();
    if (dialect != null) {
      for (Member member : members) {
        dialect.workloadPodLabels().stream()
            .map(label -> member.facts().values(label))
            .filter(values -> !values.isEmpty())
            .findFirst()
            .ifPresent(pods::addAll);
      }
    }
    return pods;
  }
}
