package org.inferometer.simulator.measure;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.measure.Quantity.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What one part has counted since it started: an engine, a process, a GPU. All quantities are of
 * one enum. Not thread-safe.
 */
public final class Measures {
  /** Gives the edges of a distribution's buckets: a page's, so that both agree. */
  @FunctionalInterface
  public interface Edges {
    double[] of(Quantity quantity);

    /** Fine edges from a millionth up, a fifth apart: for tests and what no page shows. */
    static Edges fine() {
      double[] edges = new double[150];
      double edge = 1e-6;
      for (int i = 0; i < edges.length; i++) {
        edges[i] = edge;
        edge *= 1.2;
      }
      return quantity -> edges;
    }
  }

  private final double[] values;
  private final @Nullable Distribution[] distributions;
  private final List<Map<String, double[]>> labelled = new ArrayList<>();
  private final List<Map<String, Distribution>> labelledDistributions = new ArrayList<>();
  private final Edges edges;
  private final long startNs;

  /**
   * @param quantities the enum of all that is measured here
   * @param startNs when counting began, simulated
   */
  public <Q extends Enum<Q> & Quantity> Measures(Class<Q> quantities, Edges edges, long startNs) {
    Q[] all = quantities.getEnumConstants();
    values = new double[all.length];
    distributions = new Distribution[all.length];
    this.edges = edges;
    this.startNs = startNs;
    for (Quantity quantity : all) {
      labelled.add(new LinkedHashMap<>());
      labelledDistributions.add(new LinkedHashMap<>());
      if (quantity.kind() == Kind.DISTRIBUTION) {
        distributions[quantity.ordinal()] = new Distribution(edges.of(quantity));
      }
    }
  }

  public long startNs() {
    return startNs;
  }

  public void add(Quantity quantity, double amount) {
    values[quantity.ordinal()] += amount;
  }

  public void set(Quantity quantity, double value) {
    values[quantity.ordinal()] = value;
  }

  public double value(Quantity quantity) {
    return values[quantity.ordinal()];
  }

  public Distribution distribution(Quantity quantity) {
    Distribution found = distributions[quantity.ordinal()];
    if (found == null) {
      throw new IllegalArgumentException(quantity.id() + " is no distribution");
    }
    return found;
  }

  /** Adds to the counter or gauge of a label's value; several labels are joined by a newline. */
  public void add(Quantity quantity, String label, double amount) {
    labelled.get(quantity.ordinal()).computeIfAbsent(label, key -> new double[1])[0] += amount;
  }

  public void set(Quantity quantity, String label, double value) {
    labelled.get(quantity.ordinal()).computeIfAbsent(label, key -> new double[1])[0] = value;
  }

  public double value(Quantity quantity, String label) {
    double[] value = labelled.get(quantity.ordinal()).get(label);
    return value == null ? 0 : value[0];
  }

  /** Drops all values of a labelled quantity. */
  public void clear(Quantity quantity) {
    labelled.get(quantity.ordinal()).clear();
  }

  /** The values by label, in the order they were first seen; each array holds one number. */
  public Map<String, double[]> labelled(Quantity quantity) {
    return labelled.get(quantity.ordinal());
  }

  public Distribution distribution(Quantity quantity, String label) {
    return labelledDistributions
        .get(quantity.ordinal())
        .computeIfAbsent(label, key -> new Distribution(edges.of(quantity)));
  }

  public Map<String, Distribution> labelledDistributions(Quantity quantity) {
    return labelledDistributions.get(quantity.ordinal());
  }

  /** Whether a quantity of a kind has labels. */
  public static boolean isLabelled(Kind kind) {
    return kind == Kind.COUNTERS || kind == Kind.GAUGES || kind == Kind.DISTRIBUTIONS;
  }
}
