package org.inferometer.benchmarks.accuracy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A case, with what came out here beside what was published. */
record Comparison(AccuracyCase of, List<Row> rows) {
  /** An error up to this is called close, one up to the next fair, any above off. */
  static final double CLOSE = 0.10;

  static final double FAIR = 0.25;

  Comparison {
    rows = List.copyOf(rows);
  }

  /**
   * One figure of one run.
   *
   * @param simulated NaN if nothing came out
   */
  record Row(String run, Figure figure, boolean relative, double published, double simulated) {
    double error() {
      return (simulated - published) / published;
    }

    String verdict() {
      double size = Math.abs(error());
      return size <= CLOSE ? "close" : size <= FAIR ? "fair" : "**off**";
    }
  }

  /**
   * Runs a case.
   *
   * @param most seconds of each run at most
   */
  static Comparison run(AccuracyCase of, double most) {
    List<Row> rows = new ArrayList<>();
    Map<String, Map<Figure, Double>> done = new LinkedHashMap<>();
    for (AccuracyCase.Run run : of.runs()) {
      Map<Figure, Double> figures = CaseRunner.run(of, run, most);
      done.put(run.name(), figures);
      Map<Figure, Double> base =
          run.relativeTo() == null ? Map.of() : done.getOrDefault(run.relativeTo(), Map.of());
      run.published()
          .forEach(
              (figure, published) -> {
                double value = figures.getOrDefault(figure, Double.NaN);
                boolean relative = run.relativeTo() != null;
                double through = relative ? base.getOrDefault(figure, Double.NaN) : 1;
                rows.add(new Row(run.name(), figure, relative, published, value / through));
              });
    }
    return new Comparison(of, rows);
  }
}
