package org.inferometer.acceptance.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A metrics page that lives: its counters and buckets are further on at every scrape, all by the
 * same share, so that rates and quantiles exist and keep the shape of the original.
 */
final class LiveDump implements AutoCloseable {
  private static final Pattern SAMPLE =
      Pattern.compile("^([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*\\})?\\s+(\\S+)(?:\\s+-?\\d+)?\\s*$");
  private static final Pattern TYPE = Pattern.compile("^# TYPE (\\S+) (\\S+)$");

  private final HttpServer server;
  private final List<String> lines;
  private final double growth;
  private final Map<String, String> types = new HashMap<>();
  private final AtomicInteger scrapes = new AtomicInteger();

  /**
   * @param growth what each scrape adds to a counter, as a share of its value in the original
   */
  LiveDump(List<String> lines, double growth) throws IOException {
    this.lines = lines;
    this.growth = growth;
    for (String line : lines) {
      Matcher type = TYPE.matcher(line);
      if (type.matches()) {
        types.put(type.group(1), type.group(2));
      }
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/metrics", this::answer);
    server.start();
  }

  String url() {
    return "http://" + instance() + "/metrics";
  }

  String instance() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] page = page(scrapes.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(200, page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
  }

  private String page(int scrape) {
    StringBuilder page = new StringBuilder();
    for (String line : lines) {
      Matcher sample = SAMPLE.matcher(line);
      boolean grows = sample.matches() && isCumulative(sample.group(1));
      page.append(grows ? grown(sample, scrape) : line).append('\n');
    }
    return page.toString();
  }

  private String grown(Matcher sample, int scrape) {
    String labels = sample.group(2) == null ? "" : sample.group(2);
    try {
      double value = Double.parseDouble(sample.group(3)) * (1 + growth * scrape);
      return sample.group(1) + labels + " " + value;
    } catch (NumberFormatException notANumber) {
      return sample.group();
    }
  }

  private boolean isCumulative(String name) {
    String family = name.replaceFirst("_(bucket|sum|count|total)$", "");
    String type = types.getOrDefault(name, types.getOrDefault(family, "untyped"));
    return type.equals("counter") || type.equals("histogram");
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
