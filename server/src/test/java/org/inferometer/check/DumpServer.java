package org.inferometer.check;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Families;
import org.inferometer.signals.FamilyType;

/**
 * Serves every page that was ever kept as its engine would: each time it is asked, the counters of
 * a page are a hundredth higher.
 */
final class DumpServer implements AutoCloseable {
  private static final Pattern SAMPLE =
      Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})?[ \\t]+([-+0-9.eE]+)");

  private static final Pattern TYPE = Pattern.compile("# TYPE (\\S+) (counter|histogram)");

  private final Families families;
  private final Map<String, String> pages = new TreeMap<>();
  private final Map<String, Integer> asked = new HashMap<>();
  private final HttpServer server;

  DumpServer(Catalogue catalogue) throws IOException {
    families = catalogue.families();
    for (String folder : List.of("fixtures/metrics", "fixtures/gpu")) {
      try (Stream<Path> files = Files.list(Shared.path(folder))) {
        files.filter(file -> !file.toString().endsWith(".tsv")).forEach(this::read);
      }
    }
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  private void read(Path file) {
    try {
      String text = Files.readString(file);
      String name = file.getFileName().toString();
      pages.put(name, name.endsWith(".txt") ? ofFamilyList(text) : text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A page of an engine of which only names and types were kept. */
  private static String ofFamilyList(String text) {
    StringBuilder page = new StringBuilder();
    String labels = "model_name=\"m\",engine=\"0\"";
    for (String line : text.lines().toList()) {
      String[] words = line.split(" ");
      if (line.startsWith("#") || words.length != 2) {
        continue;
      }
      page.append("# TYPE %s %s\n".formatted(words[0], words[1]));
      if (words[1].equals("histogram")) {
        for (String edge : List.of("1.0", "+Inf")) {
          page.append("%s_bucket{%s,le=\"%s\"} 1\n".formatted(words[0], labels, edge));
        }
        page.append("%s_sum{%s} 1\n%s_count{%s} 1\n".formatted(words[0], labels, words[0], labels));
      } else {
        page.append("%s{%s} 1\n".formatted(words[0], labels));
      }
    }
    return page.toString();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String name = exchange.getRequestURI().getPath().substring(1);
    String page = pages.get(name);
    byte[] body =
        page == null
            ? new byte[0]
            : moved(page, asked.merge(name, 1, Integer::sum)).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(page == null ? 404 : 200, body.length == 0 ? -1 : body.length);
    if (body.length > 0) {
      exchange.getResponseBody().write(body);
    }
    exchange.close();
  }

  private String moved(String page, int times) {
    List<String> lines = new ArrayList<>();
    String counting = "?";
    for (String line : page.split("\n", -1)) {
      Matcher type = TYPE.matcher(line);
      counting = type.matches() ? type.group(1) : counting;
      Matcher sample = SAMPLE.matcher(line);
      boolean counts = sample.matches() && isCounter(sample.group(1), counting);
      lines.add(counts ? moved(sample, times) : line);
    }
    return String.join("\n", lines);
  }

  private static String moved(Matcher sample, int times) {
    double value = Double.parseDouble(sample.group(3)) * (1 + times / 100.0);
    String labels = sample.group(2) == null ? "" : sample.group(2);
    return sample.group(1) + labels + " " + value;
  }

  private boolean isCounter(String metric, String counting) {
    for (Families.Match match : families.find(metric)) {
      return switch (match.part()) {
        case VALUE -> match.family().type() == FamilyType.COUNTER;
        case BUCKET, SUM, COUNT -> true;
        case CREATED -> false;
      };
    }
    return metric.startsWith(counting) && !metric.endsWith("_created");
  }

  List<String> names() {
    return List.copyOf(pages.keySet());
  }

  String url(String name) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/" + name;
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
