package org.inferometer.config;

import java.util.List;
import java.util.Map;

/** Addresses that share labels. */
public record TargetGroup(List<String> addresses, Map<String, String> labels) {
  public TargetGroup {
    addresses = List.copyOf(addresses);
    labels = Map.copyOf(labels);
  }
}
