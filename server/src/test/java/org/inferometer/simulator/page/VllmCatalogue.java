package org.inferometer.simulator.page;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.Shared;
import org.inferometer.model.Version;
import org.jspecify.annotations.Nullable;

/** What the catalogue says that vLLM exposes, in the words of a table that people wrote. */
final class VllmCatalogue {
  private static final Pattern RELEASE = Pattern.compile("(\\d+\\.\\d+(?:\\.\\d+)?)");
  private static final Pattern GONE =
      Pattern.compile("(?:hidden|removed)(?: from)? (\\d+\\.\\d+(?:\\.\\d+)?)");

  /** Families that a server with nothing special doesn't have, by how their name begins. */
  private static final Map<String, String> NOT_BY_DEFAULT = new LinkedHashMap<>();

  static {
    NOT_BY_DEFAULT.put("vllm:kv_offload_", "needs the offloading connector");
    NOT_BY_DEFAULT.put("vllm:simple_kv_offload_", "needs the offloading connector");
    NOT_BY_DEFAULT.put("vllm:hf3fs_", "needs the 3FS connector");
    NOT_BY_DEFAULT.put("vllm:mooncake_", "needs the Mooncake connector");
    NOT_BY_DEFAULT.put("vllm:websocket_", "needs the realtime API; not in the dump of 0.26");
    NOT_BY_DEFAULT.put("vllm:tool_call_parser_", "needs a tool parser; not in the dump of 0.26");
    NOT_BY_DEFAULT.put("vllm:diffusion_", "needs a diffusion model");
    NOT_BY_DEFAULT.put("vllm:kv_block_", "needs --kv-cache-metrics; without series in Rust");
    NOT_BY_DEFAULT.put("vllm:corrupted_requests", "needs VLLM_COMPUTE_NANS_IN_LOGITS");
    NOT_BY_DEFAULT.put("vllm:num_requests_kv_fetch_by_stage", "needs an async connector; unread");
    NOT_BY_DEFAULT.put("vllm:nixl_num_notifications_after_expiry", "its labels are assumed");
  }

  /** What the Rust front end lacks: the catalogue's notes, part a. */
  private static final List<String> NOT_IN_RUST =
      List.of(
          "vllm:engine_sleep_state",
          "vllm:cache_config_info",
          "vllm:admission_rejections",
          "vllm:mm_cache_",
          "vllm:nixl_",
          "http_request_size_bytes",
          "http_response_size_bytes",
          "process_",
          "python_");

  /** And what it lacked before 0.30. */
  private static final List<String> NEW_IN_RUST =
      List.of("vllm:iteration_tokens_total", "vllm:request_num_preemptions");

  private static final List<String> PROCESS = List.of("process_", "python_");

  /**
   * A family of the catalogue.
   *
   * @param labels null if the catalogue doesn't list them
   * @param bounds null if the catalogue doesn't list them
   */
  record Row(
      String name,
      String type,
      @Nullable Collection<String> labels,
      @Nullable List<Double> bounds,
      @Nullable Version since,
      @Nullable Version goneSince) {

    boolean isIn(Version release) {
      return (since == null || !since.isAfter(release))
          && (goneSince == null || goneSince.isAfter(release));
    }
  }

  private VllmCatalogue() {}

  /** The families that a release and front end have. */
  static Map<String, Row> of(String release, String frontend) {
    Version version = Version.parse(release);
    Map<String, Row> found = new LinkedHashMap<>();
    for (String line : lines()) {
      String[] cells = line.split("\t", -1);
      if (isOfV0(cells)) {
        continue;
      }
      Row row = row(cells, version, frontend);
      if (row.isIn(version) && isThere(row.name(), version, frontend)) {
        found.put(row.name(), row);
      }
    }
    return found;
  }

  private static List<String> lines() {
    try {
      List<String> lines = Files.readAllLines(Shared.path("catalog/vllm-metrics.tsv"));
      return lines.subList(1, lines.size());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOfV0(String[] cells) {
    return cells[7].contains("v0 only")
        || cells[7].contains("v0 engine only")
        || cells[0].contains("[v0]");
  }

  private static boolean isThere(String name, Version version, String frontend) {
    boolean isRust = frontend.equals("rust");
    return begins(name, NOT_BY_DEFAULT.keySet()) == null
        && !(isRust && begins(name, NOT_IN_RUST) != null)
        && !(isRust && Version.parse("0.30").isAfter(version) && begins(name, NEW_IN_RUST) != null)
        && !(frontend.equals("multiprocess") && begins(name, PROCESS) != null);
  }

  private static @Nullable String begins(String name, Collection<String> beginnings) {
    return beginnings.stream().filter(name::startsWith).findFirst().orElse(null);
  }

  private static Row row(String[] cells, Version release, String frontend) {
    String type = cells[2];
    String name = cells[0];
    boolean isCounter = type.equals("counter") && !name.endsWith("_total");
    return new Row(
        isCounter ? name + "_total" : name,
        type,
        labels(cells[4], frontend),
        bounds(cells[8], release, frontend),
        first(RELEASE, cells[5]),
        first(GONE, cells[6]));
  }

  /** Releases that are only said to be near may be a patch release later. */
  private static @Nullable Version first(Pattern pattern, String text) {
    Version least = null;
    Matcher matcher = pattern.matcher(text.startsWith("<=") ? "" : text);
    while (matcher.find()) {
      Version version = Version.parse(matcher.group(1));
      if (least == null || version.compareTo(least) < 0) {
        least = version;
      }
    }
    return least;
  }

  private static @Nullable Collection<String> labels(String text, String frontend) {
    if (text.startsWith("all ")) {
      return null;
    }
    String plain = text.replaceAll("\\([^)]*\\)", "").replaceAll("\\{[^}]*}", "");
    TreeSet<String> labels = new TreeSet<>();
    for (String part : plain.split(";")[0].split(",")) {
      String label = part.replaceAll(" in.*", "").replaceAll(" 0\\.\\..*", "").strip();
      if (!label.isEmpty()) {
        labels.add(label);
      }
    }
    if (frontend.equals("rust") && text.contains("Rust frontend: no max_lora")) {
      labels.remove("max_lora");
    }
    return labels;
  }

  private static @Nullable List<Double> bounds(String text, Version release, String frontend) {
    if (text.startsWith("1-2-5")) {
      return tokens(frontend.equals("rust") ? 131_072 : 32_768, frontend.equals("rust"));
    }
    if (text.startsWith("2^11")) {
      List<Double> powers = new ArrayList<>();
      for (int power = 11; power <= 33; power += 2) {
        powers.add(Math.pow(2, power));
      }
      return powers;
    }
    int end = text.indexOf(",+Inf");
    if (end < 0) {
      return null;
    }
    List<Double> bounds = new ArrayList<>();
    for (String bound : text.substring(0, end).split(",")) {
      bounds.add(Double.parseDouble(bound));
    }
    if (text.contains("around 0.8.5") && Version.parse("0.9").isAfter(release)) {
      bounds.set(bounds.size() - 2, 8096.0);
      bounds.set(bounds.size() - 1, 16192.0);
    }
    return bounds;
  }

  private static List<Double> tokens(double most, boolean endsWithMost) {
    List<Double> bounds = new ArrayList<>();
    for (double decade = 1; decade <= most; decade *= 10) {
      for (double mantissa : List.of(1.0, 2.0, 5.0)) {
        if (mantissa * decade <= most) {
          bounds.add(mantissa * decade);
        }
      }
    }
    if (endsWithMost) {
      bounds.add(most);
    }
    return bounds;
  }
}
