package org.inferometer.io;

import java.util.TreeMap;

/** Names, as processes see them and as they are on the medium. */
final class SimulatedFolder implements SimulatedNode {
  final TreeMap<String, SimulatedNode> now = new TreeMap<>();
  final TreeMap<String, SimulatedNode> durable = new TreeMap<>();
}
