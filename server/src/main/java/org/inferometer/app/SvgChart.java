package org.inferometer.app;

import java.util.List;
import java.util.Locale;
import org.inferometer.diagnosis.finding.Evidence;
import org.inferometer.diagnosis.world.Period;
import org.inferometer.query.QueryValue.MatrixSeries;

/** A small chart: lines over time, the window that was judged, the threshold. */
final class SvgChart {
  private static final double WIDTH = 640;
  private static final double HEIGHT = 110;
  private static final double LEFT = 62;
  private static final double BOTTOM = 16;
  private static final double TOP = 8;

  /** The lines' room above the highest value, so that it doesn't touch the edge. */
  private static final double HEADROOM = 1.05;

  private final long startMs;
  private final long endMs;
  private double low;
  private double high;

  SvgChart(long startMs, long endMs) {
    this.startMs = startMs;
    this.endMs = endMs;
  }

  /** An element that stands for itself. */
  String draw(Evidence fact, List<MatrixSeries> all, Period window) {
    scale(fact, all);
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s over time\">"
            .formatted(at(WIDTH), at(HEIGHT), DiagnosisHtml.text(fact.signal())));
    double from = x(Math.max(startMs, window.startMs()));
    rect(svg, from, x(window.endMs()) - from);
    line(svg, LEFT, y(low), WIDTH, y(low), "var(--line)", "");
    Double threshold = fact.threshold();
    if (threshold != null && threshold <= high && threshold >= low) {
      line(svg, LEFT, y(threshold), WIDTH, y(threshold), "var(--bad)", " stroke-dasharray=\"4 3\"");
    }
    for (MatrixSeries series : all) {
      path(svg, series);
    }
    label(svg, LEFT - 6, TOP + 8, "end", DiagnosisWords.value(fact.unit(), high));
    label(svg, LEFT - 6, HEIGHT - BOTTOM, "end", DiagnosisWords.value(fact.unit(), low));
    label(svg, LEFT, HEIGHT - 3, "start", DiagnosisWords.moment(startMs));
    label(svg, WIDTH, HEIGHT - 3, "end", DiagnosisWords.moment(endMs));
    return svg.append("</svg>").toString();
  }

  private void scale(Evidence fact, List<MatrixSeries> all) {
    low = 0;
    high = fact.threshold() == null ? 0 : fact.threshold();
    for (MatrixSeries series : all) {
      for (double value : series.values()) {
        if (Double.isFinite(value)) {
          low = Math.min(low, value);
          high = Math.max(high, value);
        }
      }
    }
    high = high > low ? low + (high - low) * HEADROOM : low + 1;
  }

  private void path(StringBuilder svg, MatrixSeries series) {
    StringBuilder points = new StringBuilder();
    boolean isDown = false;
    for (int i = 0; i < series.values().length; i++) {
      double value = series.values()[i];
      if (!Double.isFinite(value)) {
        isDown = false;
        continue;
      }
      points.append(isDown ? 'L' : 'M').append(at(x(series.timestampsMs()[i])));
      points.append(' ').append(at(y(value)));
      isDown = true;
    }
    svg.append("<path d=\"")
        .append(points)
        .append("\" fill=\"none\" stroke=\"var(--mark)\" stroke-width=\"1.5\"/>");
  }

  private static void rect(StringBuilder svg, double from, double width) {
    svg.append(
        "<rect x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" fill=\"var(--window)\"/>"
            .formatted(at(from), at(TOP), at(width), at(HEIGHT - BOTTOM - TOP)));
  }

  private static void line(
      StringBuilder svg, double x1, double y1, double x2, double y2, String colour, String more) {
    svg.append(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"%s/>"
            .formatted(at(x1), at(y1), at(x2), at(y2), colour, more));
  }

  private static void label(StringBuilder svg, double x, double y, String anchor, String text) {
    svg.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>"
            .formatted(at(x), at(y), anchor, DiagnosisHtml.text(text)));
  }

  private double x(long timeMs) {
    return LEFT + (WIDTH - LEFT) * (timeMs - startMs) / Math.max(1, endMs - startMs);
  }

  private double y(double value) {
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (value - low) / (high - low);
  }

  private static String at(double place) {
    return String.format(Locale.ROOT, "%.1f", place);
  }
}
