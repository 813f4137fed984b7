package org.inferometer.simulator.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages of SGLang and TGI against the catalogue and the pages that real servers had. */
class OtherEnginesTest {
  /** Why families of the catalogue aren't on the page, by how their names begin. */
  private static final Map<String, String> LACKING = new LinkedHashMap<>();

  static {
    String noCounterpart = "the model of an engine has nothing like it";
    for (String name :
        List.of(
            "num_prefill_retries",
            "num_retracted_input",
            "num_retracted_output",
            "new_token_ratio",
            "fwd_occupancy",
            "max_running_requests_under_SLO",
            "weight_load",
            "weight_memory",
            "kv_cache_memory",
            "graph_memory",
            "kv_available",
            "kv_evictable",
            "startup_",
            "engine_startup",
            "engine_load",
            "get_loads",
            "num_bootstrap_failed",
            "kv_transfer_alloc",
            "kv_transfer_bootstrap",
            "spec_block",
            "spec_cap",
            "spec_num",
            "max_total_num_tokens_swa",
            "swa_available",
            "swa_evictable",
            "swa_used",
            "mamba_available",
            "mamba_evictable",
            "mamba_used",
            "per_stage",
            "http_requests_active")) {
      LACKING.put("sglang:" + name, noCounterpart);
    }
    for (String name :
        List.of(
            "lora_pool_slots_used",
            "lora_pool_utilization",
            "hicache",
            "num_streaming",
            "streaming_",
            "num_unique",
            "routing_key",
            "grammar",
            "num_grammar_c",
            "num_grammar_a",
            "num_grammar_ti",
            "num_grammar_to",
            "eplb",
            "dp_cooperation",
            "prefill_delayer",
            "num_so_requests",
            "prefetch",
            "backup",
            "eviction",
            "evicted",
            "load_back",
            "encoder",
            "func_latency",
            "cache_config_info")) {
      LACKING.put("sglang:" + name, "only with something that isn't on by default");
    }
    for (String name :
        List.of(
            "request_validation",
            "request_skipped",
            "batch_next_size",
            "batch_inference_failure",
            "batch_decode_duration",
            "batch_filter",
            "batch_concat")) {
      LACKING.put("tgi_" + name, noCounterpart);
    }
  }

  /** Of the rows of an engine: type, labels that every series has, labels that it may have. */
  private static Map<String, String[]> catalogue(String engine) throws IOException {
    Map<String, String[]> rows = new TreeMap<>();
    for (String line : Files.readAllLines(Shared.path("catalog/engines.tsv"))) {
      String[] cells = line.split("\t", -1);
      if (cells[0].equals(engine)) {
        rows.put(cells[1], cells);
      }
    }
    return rows;
  }

  private static boolean isLacking(String name) {
    return LACKING.keySet().stream().anyMatch(name::startsWith);
  }

  @ParameterizedTest
  @ValueSource(strings = {"sglang 0.5.6", "sglang 0.5.12", "tgi 2.4.0", "tgi 3.3.0"})
  void page_hasWhatTheCatalogueSays_orItIsExplained(String what) throws IOException {
    String[] words = what.split(" ");
    boolean isNew = words[1].equals("0.5.12") || words[0].equals("tgi");
    Map<String, Families.Found> page =
        Families.of(VllmSample.text(words[0], words[1], "", "adapters", "4"));
    Map<String, String[]> rows = catalogue(words[0]);
    TreeSet<String> expected = new TreeSet<>();
    rows.forEach(
        (name, cells) -> {
          boolean isThere =
              cells[5].contains("v3 backend") ? words[1].startsWith("3") : isIn(cells[6], isNew);
          // As a histogram it would need the speed of each transfer.
          boolean isSpeed = isNew && name.equals("sglang:kv_transfer_speed_gb_s");
          if (!isLacking(name) && isThere && !isSpeed) {
            expected.add(name);
          }
        });
    assertThat(new TreeSet<>(page.keySet())).isEqualTo(expected);
    page.forEach(
        (name, family) -> compare(Objects.requireNonNull(rows.get(name), name), family, isNew));
  }

  private static boolean isIn(String since, boolean isNew) {
    if (since.contains("removed 2025")) {
      return false;
    }
    boolean isNewOnly =
        since.startsWith("only in newer")
            || since.startsWith("v0.5.11+")
            || since.startsWith("renamed from")
            || since.startsWith("older: only with");
    boolean isOldOnly = since.startsWith("older snapshot") || since.startsWith("older; ");
    return isNew ? !isOldOnly : !isNewOnly;
  }

  private static void compare(String[] row, Families.Found family, boolean isNew) {
    String name = row[1];
    boolean wasGauge = row[6].startsWith("TYPE CHANGED") && !isNew;
    assertThat(family.type).as(name).isEqualTo(wasGauge ? "gauge" : row[2]);
    TreeSet<String> most = new TreeSet<>();
    for (String label :
        row[4].replaceAll("\\([^)]*\\)", "").replaceAll("[\\[\\]]", ",").split(",")) {
      most.add(label.strip());
    }
    assertThat(most).as(name).containsAll(family.labels);
    for (String label : List.of("model_name", "tp_rank", "mode", "endpoint", "err", "method")) {
      if (most.contains(label)) {
        assertThat(family.labels).as(name).contains(label);
      }
    }
    if (!wasGauge && isNew && row[7].matches("[0-9.,]+") && !row[7].contains("..")) {
      List<Double> bounds = new ArrayList<>();
      for (String bound : row[7].split(",")) {
        bounds.add(Double.parseDouble(bound));
      }
      assertThat(family.bounds).as(name).isEqualTo(bounds);
    }
  }

  /** Every line of the dump but the times of functions, which need a flag. */
  @Test
  void lines_ofSglang04_areThoseOfARealServer() throws IOException {
    List<String> made =
        VllmSample.text("sglang", "0.4.0", "").lines().map(OtherEnginesTest::shape).toList();
    List<String> real =
        Files.readAllLines(
            Shared.path("fixtures/metrics/sglang_v0.4-production-metrics_sglang-docs.prom"));
    assertThat(real).hasSizeGreaterThan(50);
    for (String line : real) {
      if (!line.contains("func_latency")) {
        assertThat(made).contains(shape(line));
      }
    }
  }

  /** The bounds of lengths follow limits that the dump's server was started with. */
  @Test
  void lines_ofTgi_areThoseOfARealServer() throws IOException {
    PageForm form =
        PageFile.builtIn("tgi")
            .form(
                org.inferometer.model.Version.parse("2.0"),
                Map.of("max_input_tokens", "511", "max_total_tokens", "512"));
    List<String> made = VllmSample.text(form).lines().map(OtherEnginesTest::shape).toList();
    List<String> real =
        Files.readAllLines(
            Shared.path("fixtures/metrics/tgi_v2-first-part-of-payload_datadog_excerpt.prom"));
    assertThat(real).hasSizeGreaterThan(200);
    for (String line : real) {
      if (!isLacking(line.replaceAll("^# (HELP|TYPE) ", "")) && !line.contains("failure")) {
        assertThat(made).contains(shape(line));
      }
    }
  }

  private static String shape(String line) {
    return line.startsWith("#")
        ? line
        : line.replaceAll("model_name=\"[^\"]*\"", "model_name=\"\"").replaceAll(" \\S+$", " 0");
  }
}
