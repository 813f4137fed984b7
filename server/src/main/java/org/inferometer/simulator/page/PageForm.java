package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.Measures;
import org.inferometer.simulator.measure.Quantity;

/** The page of one release and front end of an endpoint: which families, with which buckets. */
public final class PageForm {
  /** Where the bounds of token counts end if nobody says how long a model's context is. */
  private static final double TOKENS_MAX_DEFAULT = 131_072;

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
    style();
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

  Map<String, Map<String, String>> labels() {
    return page.labels();
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
    if (named == null && !name.equals(FamilyReader.TOKENS)) {
      throw new IllegalArgumentException(
          family.place() + ": no bounds " + name + " for " + release + " " + frontend);
    }
    return named == null ? tokens() : named.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** 1, 2, 5, 10, 20, ... up to the length of the model's context. */
  private double[] tokens() {
    String length = facts.get("max_model_len");
    double most = length == null ? TOKENS_MAX_DEFAULT : Double.parseDouble(length);
    List<Double> bounds = new ArrayList<>();
    for (double decade = 1; decade <= most; decade *= 10) {
      for (double mantissa : new double[] {1, 2, 5}) {
        if (mantissa * decade <= most) {
          bounds.add(mantissa * decade);
        }
      }
    }
    return bounds.stream().mapToDouble(Double::doubleValue).toArray();
  }
}
