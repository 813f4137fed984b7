package org.inferometer.signals;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the GPUs and the hosts that belong to an engine. */
final class Relations {
  private Relations() {}

  static List<Service.Related> of(Binding binding, Collection<Binding> all) {
    List<Service.Related> related = new ArrayList<>();
    if (binding.kind() == ServiceKind.ENGINE) {
      related.addAll(of(binding, all, ServiceKind.GPU, "only GPU exporter seen"));
      related.addAll(of(binding, all, ServiceKind.HOST, "only host seen"));
    } else if (binding.kind() == ServiceKind.GPU) {
      related.addAll(of(binding, all, ServiceKind.HOST, "only host seen"));
    }
    return related;
  }

  private static List<Service.Related> of(
      Binding binding, Collection<Binding> all, ServiceKind kind, String onlyOne) {
    List<Binding> candidates = all.stream().filter(other -> other.kind() == kind).toList();
    List<Service.Related> related = new ArrayList<>();
    for (Binding candidate : candidates) {
      String because = because(binding, candidate);
      if (because != null) {
        related.add(new Service.Related(candidate.id(), because));
      }
    }
    if (related.isEmpty() && candidates.size() == 1) {
      related.add(new Service.Related(candidates.getFirst().id(), onlyOne));
    }
    return related;
  }

  private static @Nullable String because(Binding binding, Binding candidate) {
    if (!Collections.disjoint(binding.pods(), candidate.workloadPods())) {
      return "its pod uses them";
    }
    return Collections.disjoint(binding.hosts(), candidate.hosts()) ? null : "same host";
  }
}
