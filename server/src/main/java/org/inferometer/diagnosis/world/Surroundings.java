package org.inferometer.diagnosis.world;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.inferometer.signals.Gpu;
import org.inferometer.signals.Service;
import org.inferometer.signals.ServiceKind;

/**
 * An engine service with what serves it and what stands before it.
 *
 * @param exporters services that tell of its GPUs
 * @param others the other engines, to which its edges may send requests as well
 */
record Surroundings(
    Service service,
    List<Service> hosts,
    List<Service> exporters,
    List<Gpu> gpus,
    List<Service> edges,
    List<Service> others) {

  static Surroundings of(Service service, List<Service> all, List<Gpu> gpus) {
    Set<String> related =
        service.related().stream().map(Service.Related::id).collect(Collectors.toSet());
    List<Service> hosts = of(all, ServiceKind.HOST, related);
    List<Service> exporters = of(all, ServiceKind.GPU, related);
    List<Gpu> own = new ArrayList<>();
    for (Gpu gpu : gpus) {
      boolean isOthers = gpu.engine() != null && !gpu.engine().equals(service.id());
      if (related.contains(gpu.service()) && !isOthers) {
        own.add(gpu);
      }
    }
    List<Service> edges = all.stream().filter(one -> one.kind() == ServiceKind.ROUTER).toList();
    List<Service> others =
        all.stream()
            .filter(one -> one.kind() == ServiceKind.ENGINE && !one.id().equals(service.id()))
            .toList();
    return new Surroundings(service, hosts, exporters, own, edges, others);
  }

  private static List<Service> of(List<Service> all, ServiceKind kind, Set<String> ids) {
    return all.stream().filter(one -> one.kind() == kind && ids.contains(one.id())).toList();
  }

  /** All that is measured for it. */
  Set<Service> all() {
    Set<Service> all = new LinkedHashSet<>(List.of(service));
    all.addAll(hosts);
    all.addAll(exporters);
    all.addAll(edges);
    all.addAll(edges.isEmpty() ? List.of() : others);
    return all;
  }
}
