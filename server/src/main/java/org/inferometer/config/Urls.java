package org.inferometer.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Targets that are given as plain URLs: {@code host:port}, with or without scheme and path. Without
 * a path {@code /metrics} is tried, then {@code /prometheus/metrics}, which is TensorRT-LLM's. A
 * user and a password in it become basic authentication and are never shown.
 */
public final class Urls {
  /** Where metrics usually are, in the order in which they are looked for. */
  public static final List<String> USUAL_PATHS = List.of("/metrics", "/prometheus/metrics");

  /** The interval of plain URLs: first charts shouldn't take minutes. */
  public static final long INTERVAL_MS = 5_000;

  public static final long TIMEOUT_MS = 5_000;

  /** The longest body of a plain URL; a page of a million series is below it. */
  public static final long BODY_SIZE_LIMIT = 100L * 1024 * 1024;

  /** {@code sample_limit}: fifty times what a large engine exposes. */
  public static final long SAMPLE_LIMIT = 100_000;

  /** The label {@code job} of plain URLs. */
  public static final String JOB = "url";

  private static final int LENGTH_MAX = 2048;

  private Urls() {}

  /**
   * The scrape of one URL.
   *
   * @throws IllegalArgumentException if it isn't one; the message says what was expected and shows
   *     no password
   */
  public static ScrapeConfig scrapeConfig(String url) {
    URI uri = parse(url.strip());
    String shown = withoutUser(url.strip());
    String path = uri.getRawPath();
    boolean bare = path == null || path.isEmpty() || path.equals("/");
    String address = uri.getHost() + (uri.getPort() < 0 ? "" : ":" + uri.getPort());
    return new ScrapeConfig(
        poolName(uri, address, bare),
        JOB,
        INTERVAL_MS,
        TIMEOUT_MS,
        uri.getScheme().toLowerCase(Locale.ROOT),
        bare ? USUAL_PATHS.getFirst() : uri.getPath(),
        bare ? USUAL_PATHS : List.of(),
        params(uri.getRawQuery(), shown),
        false,
        true,
        false,
        true,
        ScrapeReader.PROTOBUF_FIRST,
        HistogramConfig.BOTH,
        ScrapeConfig.Fallback.TEXT,
        true,
        false,
        true,
        auth(uri, shown),
        TlsConfig.DEFAULT,
        new ScrapeLimits(BODY_SIZE_LIMIT, SAMPLE_LIMIT, 0, 0, 0, 0, 0),
        List.of(new TargetGroup(List.of(address), Map.of())),
        List.of(),
        List.of());
  }

  /**
   * The scrape of a job whose targets answer with nothing but metrics: with Prometheus's defaults.
   */
  public static ScrapeConfig job(
      String name, long intervalMs, long timeoutMs, String path, List<TargetGroup> targets) {
    return new ScrapeConfig(
        name,
        name,
        intervalMs,
        timeoutMs,
        "http",
        path,
        List.of(),
        Map.of(),
        false,
        true,
        false,
        true,
        ScrapeReader.PROTOBUF_FIRST,
        HistogramConfig.BOTH,
        ScrapeConfig.Fallback.NONE,
        true,
        true,
        false,
        HttpAuth.NONE,
        TlsConfig.DEFAULT,
        new ScrapeLimits(BODY_SIZE_LIMIT, SAMPLE_LIMIT, 0, 0, 0, 0, 0),
        targets,
        List.of(),
        List.of());
  }

  /**
   * Tells apart those that share host and port, whose series would mix: each with a path of its own
   * gets it in the label {@code instance}.
   *
   * @param scrapes each made from one URL
   */
  public static List<ScrapeConfig> distinct(Collection<ScrapeConfig> scrapes) {
    Map<List<TargetGroup>, Long> sharing =
        scrapes.stream()
            .collect(Collectors.groupingBy(ScrapeConfig::targets, Collectors.counting()));
    return scrapes.stream()
        .map(
            scrape ->
                sharing.getOrDefault(scrape.targets(), 1L) > 1 && scrape.probePaths().isEmpty()
                    ? scrape.withTargets(List.of(named(scrape)))
                    : scrape)
        .toList();
  }

  private static TargetGroup named(ScrapeConfig scrape) {
    String instance = scrape.poolName().substring(scrape.poolName().indexOf("://") + 3);
    return new TargetGroup(scrape.targets().getFirst().addresses(), Map.of("instance", instance));
  }

  private static String poolName(URI uri, String address, boolean bare) {
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    return uri.getScheme().toLowerCase(Locale.ROOT)
        + "://"
        + address
        + (bare ? "" : uri.getRawPath())
        + query;
  }

  private static URI parse(String url) {
    String shown = withoutUser(url);
    if (url.isEmpty() || url.length() > LENGTH_MAX) {
      throw expected(url.isEmpty() ? "" : "a URL of " + url.length() + " characters");
    }
    URI uri;
    try {
      uri = new URI(url.contains("://") ? url : "http://" + url);
    } catch (URISyntaxException e) {
      throw expected(shown);
    }
    String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw new IllegalArgumentException(
          "found the scheme " + scheme + " in \"" + shown + "\", expected http or https");
    }
    if (uri.getHost() == null || uri.getPort() == 0 || uri.getPort() > 65_535) {
      throw expected(shown);
    }
    if (uri.getRawFragment() != null) {
      throw new IllegalArgumentException("found # in \"" + shown + "\", expected no fragment");
    }
    return uri;
  }

  private static IllegalArgumentException expected(String shown) {
    return new IllegalArgumentException(
        "found \""
            + shown
            + "\", expected a URL such as http://host:8000, host:8000/metrics or"
            + " http://[::1]:8000");
  }

  /** A URL without what stands before an @ in its authority. */
  static String withoutUser(String url) {
    int start = url.indexOf("://");
    start = start < 0 ? 0 : start + 3;
    int at = url.lastIndexOf('@');
    // A password may hold a / that should have been encoded: then the last @ counts.
    return at < start ? url : url.substring(0, start) + url.substring(at + 1);
  }

  private static Map<String, List<String>> params(@Nullable String query, String shown) {
    Map<String, List<String>> params = new LinkedHashMap<>();
    if (query == null || query.isEmpty()) {
      return params;
    }
    for (String pair : query.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      params.computeIfAbsent(decode(name, shown), n -> new ArrayList<>()).add(decode(value, shown));
    }
    return params;
  }

  private static HttpAuth auth(URI uri, String shown) {
    String user = uri.getRawUserInfo();
    if (user == null) {
      return HttpAuth.NONE;
    }
    int colon = user.indexOf(':');
    String name = colon < 0 ? user : user.substring(0, colon);
    String password = colon < 0 ? "" : user.substring(colon + 1);
    return new HttpAuth.Basic(
        Secret.of(decode(name.replace("+", "%2B"), shown)),
        Secret.of(decode(password.replace("+", "%2B"), shown)));
  }

  private static String decode(String text, String shown) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw expected(shown);
    }
  }
}
