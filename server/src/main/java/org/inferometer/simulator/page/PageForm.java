package org.inferometer.simulator.page;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;
import org.jspecify.annotations.Nullable;

/** The page of one release and front end of an endpoint: which families, with which buckets. */
public final class PageForm {
  private static final double[] FINE = Measures.Edges.fine().of(NoQuantity.NONE);

  private final PageFile page;
  private final Version release;
  private final String frontend;
  private final Map<String, String> facts;
  private final List<Family> families;
  private final Map<Quantity, double[]> edges = new HashMap<>();

  PageForm(
      PageFile page,
      Version release,
      String frontend,
      Map<String, String> facts,
      List<Family> families) {
    this.page = page;
    this.release = release;
    this.frontend = frontend;
    this.facts = Map.copyOf(facts);
    this.families = List.copyOf(families);
    Map<Quantity, TreeSet<Double>> all = new HashMap<>();
    for (Family family : families) {
      if (family.type() == Family.Type.HISTOGRAM) {
        for (Family.Row row : family.rows()) {
          if (row.value() instanceof Value.Measured measured) {
            TreeSet<Double> ofAll =
                all.computeIfAbsent(measured.quantity(), key -> new TreeSet<>());
            for (double bound : bounds(family)) {
              ofAll.add(bound / family.scale());
            }
          }
        }
      }
    }
    all.forEach(
        (quantity, set) ->
            edges.put(quantity, set.stream().mapToDouble(Double::doubleValue).toArray()));
  }

  /** Stands for whatever no page shows. */
  private enum NoQuantity implements Quantity {
    NONE;

    @Override
    public Kind kind() {
      return Kind.DISTRIBUTION;
    }
  }

  /**
   * The edges of every quantity: those of all histograms that show it; fine ones of what none
   * shows.
   */
  public Measures.Edges edges() {
    return quantity -> edges.getOrDefault(quantity, FINE).clone();
  }

  /**
   * Writes pages of this form.
   *
   * @param epochMs the Unix time of the simulated moment 0
   */
  public PageWriter writer(long epochMs) {
    return new PageWriter(this, epochMs);
  }

  public String contentType() {
    return page.contentType(release, frontend);
  }

  /** The names of the families in the page's order, those of some subjects only included. */
  public List<String> families() {
    return families.stream().map(Family::name).toList();
  }

  public Version release() {
    return release;
  }

  List<Family> list() {
    return families;
  }

  Style style() {
    return page.style(frontend);
  }

  boolean showsCreated() {
    return page.showsCreated(frontend);
  }

  HistogramSeries.Order histogramOrder() {
    return switch (style()) {
      case PYTHON ->
          showsCreated()
              ? HistogramSeries.Order.BUCKETS_COUNT_SUM
              : HistogramSeries.Order.SUM_BUCKETS_COUNT;
      case RUST -> HistogramSeries.Order.SUM_COUNT_BUCKETS;
      case GO, METRICS, DCGM -> HistogramSeries.Order.BUCKETS_SUM_COUNT;
    };
  }

  List<String> order() {
    return page.order();
  }

  /** The labels of subjects of a kind; null if they have their own. */
  @Nullable Map<String, String> labels(String kind) {
    return page.labels(kind, release, frontend);
  }

  /** Whether a family stands there that has no series. */
  boolean showsEmptyFamilies() {
    return style() == Style.PYTHON && showsCreated();
  }

  /** Facts of all subjects. */
  Map<String, String> facts() {
    return facts;
  }

  /** A histogram's upper bounds, without +Inf. */
  double[] bounds(Family family) {
    String name = family.bounds();
    if (name == null) {
      return family.ownBounds().stream().mapToDouble(Double::doubleValue).toArray();
    }
    List<Double> named = page.bounds(name, release, frontend);
    if (named != null) {
      return named.stream().mapToDouble(Double::doubleValue).toArray();
    }
    if (!GeneratedBounds.isName(name)) {
      throw new IllegalArgumentException(
          family.place() + ": no bounds " + name + " for " + release + " " + frontend);
    }
    return GeneratedBounds.of(name, facts);
  }
}
