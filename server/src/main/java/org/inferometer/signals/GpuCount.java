package org.inferometer.signals;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Counts the GPUs of an engine by the GPU exporters that see its pods or run on its hosts. */
final class GpuCount {
  private GpuCount() {}

  /** Null if that can't be seen, as when engines share a host. */
  static Known.@Nullable Told of(Binding engine, Collection<Binding> all) {
    if (engine.kind() != ServiceKind.ENGINE) {
      return null;
    }
    List<Binding> exporters = all.stream().filter(one -> one.kind() == ServiceKind.GPU).toList();
    int used = count(exporters, engine.pods());
    if (used > 0) {
      return told(used, "whose exporter names its pods");
    }
    int near = count(exporters.stream().filter(one -> share(one, engine)).toList(), null);
    return near == 0 || hasNeighbour(engine, all) ? null : told(near, "seen on its hosts");
  }

  /** Exporters of several kinds may watch the same GPUs: those of the kind that sees most count. */
  private static int count(List<Binding> exporters, @Nullable Set<String> pods) {
    Map<String, Set<String>> gpus = new TreeMap<>();
    for (Binding exporter : exporters) {
      Dialect dialect = exporter.dialect();
      if (dialect != null) {
        gpus.computeIfAbsent(dialect.id(), id -> new TreeSet<>())
            .addAll(gpus(exporter, dialect, pods));
      }
    }
    return gpus.values().stream().mapToInt(Set::size).max().orElse(0);
  }

  private static Known.Told told(int count, String how) {
    String gpus = count == 1 ? "1 GPU" : count + " GPUs";
    return new Known.Told(
        count, "Counted with " + gpus + " " + how + "; set " + Fact.GPUS.key() + " to be sure.");
  }

  private static boolean share(Binding a, Binding b) {
    return !Collections.disjoint(a.hosts(), b.hosts());
  }

  /** Whether another engine on its hosts may use the GPUs as well. */
  private static boolean hasNeighbour(Binding engine, Collection<Binding> all) {
    return all.stream()
        .filter(other -> other.kind() == ServiceKind.ENGINE && !other.id().equals(engine.id()))
        .anyMatch(other -> share(other, engine));
  }

  /**
   * The GPUs that an exporter sees, by what tells them apart.
   *
   * @param pods those that use them; null for all
   */
  private static Set<String> gpus(Binding exporter, Dialect dialect, @Nullable Set<String> pods) {
    Set<String> gpus = new TreeSet<>();
    for (Binding.Member member : exporter.members()) {
      TargetFacts facts = member.facts();
      for (String label : first(dialect.gpuLabels(), name -> !facts.values(name).isEmpty())) {
        facts.rows().stream()
            .filter(row -> row.has(label) && (pods == null || uses(row, dialect, pods)))
            .forEach(row -> gpus.add(member.target().host() + "/" + row.get(label)));
      }
    }
    return gpus;
  }

  private static boolean uses(Labels row, Dialect dialect, Set<String> pods) {
    return first(dialect.workloadPodLabels(), row::has).stream()
        .anyMatch(label -> pods.contains(row.get(label)));
  }

  /** The first label that is of use, or none. */
  private static List<String> first(List<String> labels, Predicate<String> isOfUse) {
    return labels.stream().filter(isOfUse).limit(1).toList();
  }
}
