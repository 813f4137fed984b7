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
 * @param targets matchers of its members
 * @param own matchers that leave out the series of others on the same pages
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
    List<Matcher> targets,
    List<Matcher> own,
    String because,
    Known known) {
  Binding {
    members = List.copyOf(members);
    targets = List.copyOf(targets);
    own = List.copyOf(own);
  }

  /** This service with what was told of it. */
  Binding with(Map<Fact, Known.Told> facts, Map<String, Double> goals) {
    return new Binding(
        id,
        kind,
        name,
        dialect,
        modelLabel,
        model,
        version,
        members,
        targets,
        own,
        because,
        new Known(members.stream().map(Member::facts).toList(), facts, goals));
  }

  /** One target of a service. */
  record Member(TargetScan.Scraped scraped, TargetFacts facts) {
    Target target() {
      return scraped.target();
    }
  }

  /** The rate window for a step between values; see {@link RateWindow}. */
  long windowMs(long stepMs) {
    return RateWindow.of(intervalMs(), stepMs);
  }

  /** The usual time between scrapes, that of the target which is scraped least often. */
  long intervalMs() {
    long interval = 0;
    for (Member member : members) {
      interval = Math.max(interval, member.scraped().health().intervalMs());
    }
    return interval;
  }

  Template.Values values(List<String> by, long windowMs) {
    return values(targets, by, windowMs);
  }

  /** What its queries would be of other targets. */
  Template.Values values(List<Matcher> targets, List<String> by, long windowMs) {
    List<Matcher> scope = new ArrayList<>(targets);
    if (modelLabel != null && model != null) {
      scope.add(Matcher.equal(modelLabel, model));
    }
    scope.addAll(own);
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

  /** The models that its series name. */
  Set<String> models() {
    Set<String> models = new TreeSet<>();
    if (dialect != null) {
      for (Member member : members) {
        dialect.models().forEach(label -> models.addAll(member.facts().values(label)));
      }
    }
    return models;
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
