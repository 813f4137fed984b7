package org.inferometer.simulator.page;

import java.util.Map;
import org.inferometer.simulator.measure.Measures;

/**
 * What a part of a page is about: an engine, a process, a GPU.
 *
 * @param kind as families say whom they are of: engine, server, gpu, host, gateway, client
 * @param labels of every series about it
 * @param facts what isn't counted but stands on the page: settings, releases, by their names
 */
public record Subject(
    String kind, Map<String, String> labels, Map<String, String> facts, Measures measures) {
  public Subject {
    labels = Map.copyOf(labels);
    facts = Map.copyOf(facts);
  }
}
