package org.inferometer.simulator.scenario;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.simulator.scenario.Scenario.Fleet;
import org.inferometer.simulator.scenario.Scenario.Replicas;
import org.inferometer.simulator.scenario.Scenario.Workload;

/** The names that parts of a scenario have. */
final class Names {
  private static final Pattern GPU = Pattern.compile("([a-z0-9-]{1,60})/gpu([0-9]{1,4})");

  private Names() {}

  /** Of replicas, and of those that are alike. */
  static Set<String> replicas(Fleet fleet) {
    Set<String> names = new LinkedHashSet<>();
    for (Replicas group : fleet.replicas()) {
      names.add(group.name());
      names.addAll(group.names());
    }
    return names;
  }

  static Set<String> hosts(Fleet fleet) {
    Set<String> names = new LinkedHashSet<>();
    fleet.hosts().forEach(host -> names.add(host.name()));
    for (Replicas group : fleet.replicas()) {
      String host = group.host();
      if (host != null) {
        names.add(host);
      }
    }
    return names;
  }

  /** Everything that can be said to have a cause, but for GPUs. */
  static Set<String> scopes(Fleet fleet, List<Workload> workloads) {
    Set<String> names = replicas(fleet);
    names.addAll(hosts(fleet));
    workloads.forEach(workload -> names.add(workload.name()));
    names.addAll(EventReader.ENDPOINTS);
    if (fleet.gateway() != null) {
      names.add(fleet.gateway().name());
    }
    return names;
  }

  /** Whether it is a GPU of a replica: {@code qwen-0/gpu1}. */
  static boolean isGpu(String scope, Fleet fleet) {
    Matcher gpu = GPU.matcher(scope);
    if (!gpu.matches()) {
      return false;
    }
    int index = Integer.parseInt(gpu.group(2));
    for (Replicas group : fleet.replicas()) {
      if (group.names().contains(gpu.group(1))
          && index < group.tensorParallel() * group.dataParallel()) {
        return true;
      }
    }
    return false;
  }
}
