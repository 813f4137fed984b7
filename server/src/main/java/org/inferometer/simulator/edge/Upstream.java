package org.inferometer.simulator.edge;

import java.util.ArrayDeque;
import java.util.Deque;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario.Role;

/** A replica as a gateway sees it. */
final class Upstream {
  final String name;
  final String address;

  /** How it is counted. */
  final String label;

  final Role role;
  Server server;

  /** Requests that it has. */
  int open;

  /** Requests that wait for a connection to it. */
  final Deque<Passage> waiting = new ArrayDeque<>();

  /** Whether those waiting are being sent: one that is refused frees its connection there. */
  boolean isAsking;

  /** Until when it is left out because it failed. */
  long downUntilNs = -1;

  Upstream(Server server, Role role, String address) {
    this.name = server.name();
    this.server = server;
    this.role = role;
    this.address = address;
    this.label = name + "\nhttp://" + address + "/v1";
  }

  /** Requests it has or is about to get. */
  int load() {
    return open + waiting.size();
  }

  boolean isUp(long nowNs) {
    return nowNs >= downUntilNs;
  }

  boolean does(Role wanted) {
    return wanted == Role.PREFILL ? role == Role.PREFILL : role != Role.PREFILL;
  }
}
