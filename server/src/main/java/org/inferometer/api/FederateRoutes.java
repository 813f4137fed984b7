package org.inferometer.api;

import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.inferometer.model.FloatFormat;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.model.MetricMetadata;
import org.inferometer.model.MetricType;
import org.inferometer.model.Names;
import org.inferometer.promql.ParseException;
import org.inferometer.query.QueryException;
import org.inferometer.query.QueryService;
import org.inferometer.remote.NewestSamples;
import org.inferometer.remote.NewestSamples.Newest;
import org.inferometer.time.WallClock;

/**
 * The newest samples of chosen series as a page for another server to scrape, each with its time.
 * Counters and gauges are typed as their targets say, all else is untyped: a histogram's series
 * needn't all be among those chosen. Source: prometheus/prometheus, {@code web/federate.go}.
 */
public final class FederateRoutes implements HttpService {
  private final NewestSamples newest;
  private final QueryService queries;
  private final SelectorReader selectors;
  private final Supplier<Labels> externalLabels;
  private final WallClock clock;

  /**
   * @param queries knows what targets say of their metrics
   * @param externalLabels of everything that leaves this server
   */
  public FederateRoutes(
      NewestSamples newest,
      QueryService queries,
      SelectorReader selectors,
      Supplier<Labels> externalLabels,
      WallClock clock) {
    this.newest = newest;
    this.queries = queries;
    this.selectors = selectors;
    this.externalLabels = externalLabels;
    this.clock = clock;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/federate", this::federate);
  }

  private void federate(ServerRequest request, ServerResponse response) throws Exception {
    List<List<Matcher>> selections = new ArrayList<>();
    for (String text : Requests.parameters(request).all("match[]")) {
      try {
        selections.add(selectors.read(text));
      } catch (ParseException e) {
        Answer.text(request, response, 400, String.valueOf(e.getMessage()));
        return;
      }
    }
    boolean utf8 =
        request
            .headers()
            .first(HeaderNames.ACCEPT)
            .map(accept -> accept.replace(" ", "").contains("escaping=allow-utf-8"))
            .orElse(false);
    Map<String, List<MetricMetadata>> metadata = metadata();
    List<Newest> samples = newest.select(selections, clock.nowMs());
    String type =
        utf8
            ? "text/plain; version=1.0.0; charset=utf-8; escaping=allow-utf-8"
            : "text/plain; version=0.0.4; charset=utf-8";
    try (Writer out =
        new OutputStreamWriter(Answer.stream(request, response, type), StandardCharsets.UTF_8)) {
      Page page = new Page(utf8, externalLabels.get(), metadata);
      for (Newest sample : samples) {
        out.write(page.lines(sample));
      }
    }
  }

  private Map<String, List<MetricMetadata>> metadata() {
    try {
      return queries.metadata();
    } catch (QueryException e) {
      return Map.of();
    }
  }

  /** Writes samples that come sorted by name. */
  private static final class Page {
    private final boolean utf8;
    private final Labels externalLabels;
    private final Map<String, List<MetricMetadata>> metadata;
    private String name = "";

    Page(boolean utf8, Labels externalLabels, Map<String, List<MetricMetadata>> metadata) {
      this.utf8 = utf8;
      this.externalLabels = externalLabels;
      this.metadata = metadata;
    }

    String lines(Newest sample) {
      String own = sample.labels().metricName();
      if (own.isEmpty()) {
        return "";
      }
      StringBuilder text = new StringBuilder(128);
      if (!own.equals(name)) {
        name = own;
        text.append("# TYPE ").append(metricName(own)).append(' ').append(type(own)).append('\n');
      }
      series(text, sample.labels());
      text.append(' ').append(FloatFormat.general(sample.value())).append(' ');
      return text.append(sample.timestampMs()).append('\n').toString();
    }

    private void series(StringBuilder text, Labels labels) {
      boolean quoted = utf8 && !Names.isLegacyMetricName(name);
      text.append(quoted ? "{" + metricName(name) : metricName(name) + "{");
      String separator = quoted ? "," : "";
      Labels.Builder all = externalLabels.toBuilder();
      labels.forEach(all::set);
      // Without it the scraper would put its own address there.
      if (!labels.has("instance") && !externalLabels.has("instance")) {
        text.append(separator).append("instance=\"\"");
        separator = ",";
      }
      Labels shown = all.build();
      for (int i = 0; i < shown.size(); i++) {
        if (!shown.name(i).equals(Labels.NAME)) {
          text.append(separator).append(labelName(shown.name(i))).append("=\"");
          escape(text, shown.value(i));
          text.append('"');
          separator = ",";
        }
      }
      text.append('}');
    }

    private String metricName(String text) {
      return Names.isLegacyMetricName(text) ? text : utf8 ? quote(text) : underscored(text, ":");
    }

    private String labelName(String text) {
      return Names.isLegacyLabelName(text) ? text : utf8 ? quote(text) : underscored(text, "");
    }

    /** What an older scraper can't read, with an underscore for each character of it. */
    private static String underscored(String text, String allowed) {
      String plain = text.replaceAll("[^a-zA-Z0-9_" + allowed + "]", "_");
      return Character.isDigit(plain.charAt(0)) ? "_" + plain.substring(1) : plain;
    }

    private static String quote(String text) {
      StringBuilder quoted = new StringBuilder("\"");
      escape(quoted, text);
      return quoted.append('"').toString();
    }

    private static void escape(StringBuilder out, String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        switch (c) {
          case '\n' -> out.append("\\n");
          case '\\', '"' -> out.append('\\').append(c);
          default -> out.append(c);
        }
      }
    }

    private String type(String metric) {
      MetricType type = typeOf(metric);
      if (type == MetricType.UNKNOWN && metric.endsWith("_total")) {
        type = typeOf(metric.substring(0, metric.length() - "_total".length()));
      }
      return type == MetricType.COUNTER || type == MetricType.GAUGE ? type.word() : "untyped";
    }

    /** What all targets agree on. */
    private MetricType typeOf(String family) {
      List<MetricType> types =
          metadata.getOrDefault(family, List.of()).stream()
              .map(MetricMetadata::type)
              .distinct()
              .toList();
      return types.size() == 1 ? types.getFirst() : MetricType.UNKNOWN;
    }
  }
}
