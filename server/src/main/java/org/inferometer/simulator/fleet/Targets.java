package org.inferometer.simulator.fleet;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.inferometer.simulator.gpu.SimulatedGpu;
import org.inferometer.simulator.scenario.Scenario.Target;

/** The parts of a fleet that somebody means who names some; as it is when that is asked. */
final class Targets {
  private final Collection<Fleet.Group> groups;
  private final List<Fleet.Users> users;
  private final Machines machines;
  private final List<Fleet.Scraped> scraped;

  /** All of them are looked at again and again, and may change. */
  Targets(
      Collection<Fleet.Group> groups,
      List<Fleet.Users> users,
      Machines machines,
      List<Fleet.Scraped> scraped) {
    this.groups = groups;
    this.users = users;
    this.machines = machines;
    this.scraped = scraped;
  }

  List<Fleet.Users> users(Target on) {
    return users.stream()
        .filter(one -> on.workload() == null || on.workload().equals(one.clients().name()))
        .toList();
  }

  List<SimulatedReplica> replicas(Target on) {
    List<SimulatedReplica> all = new ArrayList<>();
    for (Fleet.Group group : groups) {
      for (SimulatedReplica replica : group.replicas) {
        boolean named =
            on.replica() == null
                || on.replica().equals(replica.name())
                || on.replica().equals(group.made.name());
        if (named && (on.host() == null || on.host().equals(replica.host().name()))) {
          all.add(replica);
        }
      }
    }
    return all;
  }

  List<SimulatedGpu> gpus(Target on) {
    List<SimulatedGpu> all = new ArrayList<>();
    for (SimulatedReplica replica : replicas(on)) {
      List<SimulatedGpu> gpus = replica.gpus();
      Integer index = on.gpu();
      if (index == null) {
        all.addAll(gpus);
      } else if (index < gpus.size()) {
        all.add(gpus.get(index));
      }
    }
    return all;
  }

  List<Machines.Machine> machines(Target on) {
    List<Machines.Machine> all = new ArrayList<>();
    for (Machines.Machine machine : machines.all()) {
      boolean named = on.host() == null || on.host().equals(machine.host().name());
      boolean holds =
          on.replica() == null
              || replicas(on).stream().anyMatch(one -> one.host() == machine.host());
      if (named && holds) {
        all.add(machine);
      }
    }
    return all;
  }

  List<Fleet.Scraped> scraped(Target on) {
    List<Fleet.Scraped> all = new ArrayList<>();
    List<SimulatedReplica> named = replicas(on);
    for (Fleet.Scraped one : scraped) {
      boolean ofJob = on.endpoint() == null || on.endpoint().equals(one.endpoint().job());
      boolean ofHost = on.host() == null || on.host().equals(one.host());
      if (ofJob && ofHost && (on.replica() == null || isOf(one, named))) {
        all.add(one);
      }
    }
    return all;
  }

  /** Of a replica are its own page, and those of its host. */
  private static boolean isOf(Fleet.Scraped scraped, List<SimulatedReplica> named) {
    for (SimulatedReplica replica : named) {
      boolean own = scraped.replica() == replica;
      boolean ofHost = scraped.replica() == null && replica.host().name().equals(scraped.host());
      if (own || ofHost) {
        return true;
      }
    }
    return false;
  }
}
