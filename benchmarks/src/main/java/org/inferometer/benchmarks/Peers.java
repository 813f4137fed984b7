package org.inferometer.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/** The labels of the peers in results, and their rows. */
final class Peers {
  static final String OURS = "inferometer";
  static final String PROMETHEUS = "prometheus";
  static final String VICTORIA = "victoria-metrics";

  private Peers() {}

  /** The row of a peer; one without anything if there is none. */
  static JsonNode row(JsonNode rows, String peer) {
    for (JsonNode row : rows) {
      if (row.path("peer").asText().equals(peer)) {
        return row;
      }
    }
    return MissingNode.getInstance();
  }
}
