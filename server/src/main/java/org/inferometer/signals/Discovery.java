package org.inferometer.signals;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.inferometer.model.Version;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/** Finds the services: recognises every target and puts those together that serve one model. */
final class Discovery {
  private final TargetScan scan;
  private final Recognition recognition;
  private final Facts facts;
  private final Goals goals;

  Discovery(TargetScan scan, Recognition recognition, Facts facts, Goals goals) {
    this.goals = goals;
    this.scan = scan;
    this.recognition = recognition;
    this.facts = facts;
  }

  /** The services by id, in order of their ids. */
  Map<String, Binding> services(long nowMs) throws QueryException {
    Map<String, List<Found>> groups = new LinkedHashMap<>();
    List<TargetScan.Scraped> all = scan.targets(nowMs);
    List<TargetFacts> facts =
        scan.facts(all.stream().map(TargetScan.Scraped::target).toList(), nowMs);
    for (int i = 0; i < all.size(); i++) {
      for (Found found : found(all.get(i), facts.get(i), nowMs)) {
        groups.computeIfAbsent(key(found, groups), key -> new ArrayList<>()).add(found);
      }
    }
    Map<String, Binding> services = new TreeMap<>();
    for (Map.Entry<String, List<Found>> group : groups.entrySet()) {
      Binding binding = binding(group.getKey(), group.getValue());
      services.put(binding.id(), binding);
    }
    Map<String, Binding> told = new TreeMap<>();
    services.forEach((id, binding) -> told.put(id, with(binding, services)));
    return told;
  }

  private Binding with(Binding binding, Map<String, Binding> services) {
    return binding.with(known(binding, services), goals.of(binding.id(), binding.model()));
  }

  /** What users told, and the number of GPUs if they didn't and it can be seen. */
  private Map<Fact, Known.Told> known(Binding binding, Map<String, Binding> services) {
    Map<Fact, Known.Told> known = Known.told(facts.of(binding.id(), binding.model()));
    Known.Told gpus = known.containsKey(Fact.GPUS) ? null : GpuCount.of(binding, services.values());
    if (gpus != null) {
      known.put(Fact.GPUS, gpus);
    }
    return known;
  }

  /** Two jobs may scrape one instance; where no model joins them, the job tells them apart. */
  private static String key(Found found, Map<String, List<Found>> groups) {
    return found.model() == null && groups.containsKey(found.key())
        ? found.key() + "@" + found.member().target().job()
        : found.key();
  }

  /** A target's part in one service. */
  private record Found(
      String key,
      Binding.Member member,
      Recognition.Recognised recognised,
      @Nullable String model) {}

  /** What a target is; if that can't be told any more, what it was. */
  private List<Found> found(TargetScan.Scraped scraped, TargetFacts facts, long nowMs)
      throws QueryException {
    List<Found> now = found(scraped, facts);
    if (now.stream().anyMatch(found -> found.recognised().dialect() != null)) {
      return now;
    }
    List<Found> then = found(scraped, scan.pastFacts(scraped.target(), nowMs));
    return then.stream().anyMatch(found -> found.recognised().dialect() != null) ? then : now;
  }

  /** A target's part in every service that it belongs to. */
  private List<Found> found(TargetScan.Scraped scraped, TargetFacts facts) {
    List<Found> all = new ArrayList<>();
    for (Recognition.Recognised recognised : recognition.recognise(facts)) {
      all.addAll(found(scraped, facts, recognised));
    }
    return all;
  }

  private static List<Found> found(
      TargetScan.Scraped scraped, TargetFacts page, Recognition.Recognised recognised) {
    Dialect dialect = recognised.dialect();
    TargetFacts facts = dialect == null ? page : Recognition.own(dialect, page);
    Binding.Member member = new Binding.Member(scraped, facts);
    String dialectId = dialect == null ? "other" : dialect.id();
    if (dialect == null || dialect.kind() != ServiceKind.ENGINE || recognised.models().isEmpty()) {
      String key = dialectId + "/" + scraped.target().instance();
      return List.of(new Found(key, member, recognised, null));
    }
    List<Found> services = new ArrayList<>();
    for (String model : recognised.models()) {
      services.add(
          new Found(
              dialectId + "/" + model, modelMember(member, recognised, model), recognised, model));
    }
    return services;
  }

  /** What a target exposes of one of its models: what names it, and what names none. */
  private static Binding.Member modelMember(
      Binding.Member member, Recognition.Recognised recognised, String model) {
    String label = recognised.modelLabel();
    if (label == null || recognised.models().size() == 1) {
      return member;
    }
    List<Labels> rows =
        member.facts().rows().stream()
            .filter(row -> !row.has(label) || row.get(label).equals(model))
            .toList();
    return new Binding.Member(member.scraped(), TargetFacts.of(member.target(), rows));
  }

  private static Binding binding(String id, List<Found> founds) {
    Found first = founds.getFirst();
    Dialect dialect = first.recognised().dialect();
    return new Binding(
        id,
        dialect == null ? ServiceKind.OTHER : dialect.kind(),
        name(first, dialect),
        dialect,
        first.recognised().modelLabel(),
        first.model(),
        version(founds),
        founds.stream().map(Found::member).toList(),
        Target.matchers(founds.stream().map(found -> found.member().target()).toList()),
        founds.stream().flatMap(found -> found.recognised().own().stream()).distinct().toList(),
        first.recognised().because(),
        Known.NOTHING);
  }

  private static String name(Found found, @Nullable Dialect dialect) {
    if (found.model() != null) {
      return found.model();
    }
    if (dialect != null) {
      for (String label : dialect.hostLabels()) {
        Set<String> hosts = found.member().facts().values(label);
        if (hosts.size() == 1) {
          return hosts.iterator().next();
        }
      }
    }
    return found.member().target().instance();
  }

  /** The range that takes in those of all replicas. */
  private static @Nullable VersionRange version(List<Found> founds) {
    VersionRange first = founds.getFirst().recognised().version();
    VersionRange all = first;
    for (Found found : founds) {
      VersionRange next = found.recognised().version();
      if (all != null && next != null && !next.text().equals(all.text())) {
        all = union(all, next);
      }
    }
    return all;
  }

  private static VersionRange union(VersionRange a, VersionRange b) {
    Version low = a.low() == null || b.low() == null ? null : smaller(a.low(), b.low());
    Version high = a.high() == null || b.high() == null ? null : larger(a.high(), b.high());
    return VersionRange.between(low, high, "the replicas differ: " + a.text() + ", " + b.text());
  }

  private static @Nullable Version smaller(String a, String b) {
    if (!Version.isVersion(a) || !Version.isVersion(b)) {
      return null;
    }
    Version first = Version.parse(a);
    Version second = Version.parse(b);
    return first.compareTo(second) <= 0 ? first : second;
  }

  private static @Nullable Version larger(String a, String b) {
    if (!Version.isVersion(a) || !Version.isVersion(b)) {
      return null;
    }
    Version first = Version.parse(a);
    Version second = Version.parse(b);
    return first.isAfter(second) ? first : second;
  }
}
