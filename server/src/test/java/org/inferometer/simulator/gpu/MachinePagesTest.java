package org.inferometer.simulator.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.Shared;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.page.Page;
import org.inferometer.simulator.page.PageFile;
import org.inferometer.simulator.page.Subject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pages of GPUs and hosts, against those of real exporters. */
class MachinePagesTest {
  private static final String L40S =
      "fixtures/gpu/dcgm-exporter_4.8-l40s-no-pod-no-xid-series_upcloud.prom";
  private static final Pattern SERIES = Pattern.compile("([a-zA-Z0-9_:]+)(?:\\{(.*)})? (\\S+)");

  private final Rig rig = new Rig("qwen3-8b", "L40S", 2);

  /** The lines of a page by family: type, help, label names of its first series. */
  private record Told(String type, String help, List<String> labels) {}

  private static List<String> withoutPods(List<String> page) {
    return page.stream()
        .map(line -> line.replaceAll(",(container|namespace|pod)=\"[^\"]*\"", ""))
        .toList();
  }

  private static Map<String, Told> told(List<String> lines) {
    Map<String, Told> told = new LinkedHashMap<>();
    Map<String, String> help = new HashMap<>();
    Map<String, String> type = new HashMap<>();
    for (String line : lines) {
      String[] words = line.split(" ", 4);
      if (line.startsWith("# HELP ")) {
        help.put(words[2], words.length > 3 ? words[3] : "");
      } else if (line.startsWith("# TYPE ")) {
        type.put(words[2], words[3]);
      } else {
        Matcher matcher = SERIES.matcher(line);
        if (matcher.matches() && type.containsKey(matcher.group(1))) {
          String name = matcher.group(1);
          told.putIfAbsent(
              name,
              new Told(
                  type.getOrDefault(name, ""),
                  help.getOrDefault(name, ""),
                  labels(matcher.group(2))));
        }
      }
    }
    // A recorded page may have families of which it dropped the series.
    type.forEach(
        (name, as) -> told.putIfAbsent(name, new Told(as, help.getOrDefault(name, ""), List.of())));
    return told;
  }

  private static List<String> labels(String text) {
    List<String> names = new ArrayList<>();
    Matcher matcher = Pattern.compile("([a-zA-Z0-9_]+)=\"").matcher(text == null ? "" : text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  private List<String> gpuPage(String release, String list, boolean profiling) {
    List<Subject> subjects = new ArrayList<>();
    for (SimulatedGpu gpu : rig.gpus) {
      Map<String, String> facts = new HashMap<>(gpu.facts("gpu-node-0"));
      if (profiling) {
        facts.put("profiling", "1");
      }
      subjects.add(new Subject("gpu", Map.of(), facts, gpu.measures()));
    }
    return lines(
        PageFile.builtIn("dcgm")
            .form(Version.parse(release), list, Map.of())
            .writer(0)
            .write(subjects, rig.agenda.now()));
  }

  private static List<String> lines(Page page) {
    return new String(page.body(), 0, page.length(), StandardCharsets.UTF_8).lines().toList();
  }

  private static double value(List<String> lines, String start) {
    return lines.stream()
        .filter(line -> line.startsWith(start))
        .map(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> dump(String file) throws IOException {
    return Files.readAllLines(Shared.path(file), StandardCharsets.ISO_8859_1);
  }

  /** All that a real exporter with the default list tells, in its order; Xids aside (no series). */
  @Test
  void stockPage_isThatOfARealExporter() throws IOException {
    Map<String, Told> real = told(dump(L40S));
    // The real one runs outside of Kubernetes, so it knows of no pods.
    Map<String, Told> ours = told(withoutPods(gpuPage("4.8", "stock", true)));
    real.forEach((name, as) -> assertThat(ours.get(name)).as(name).isEqualTo(as));
    List<String> order = new ArrayList<>(ours.keySet());
    order.retainAll(real.keySet());
    assertThat(order).containsExactlyElementsOf(real.keySet());
    assertThat(ours.keySet())
        .hasSize(real.size() + 2)
        .contains("DCGM_FI_DEV_XID_ERRORS", "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL");
  }

  @ParameterizedTest
  @CsvSource({
    "4.2, fixtures/gpu/dcgm-exporter_4.x-rtx4000ada-pod-labels-empty-pod_uid_lke.prom",
    "3.3, fixtures/gpu/dcgm-exporter_3.x-8xa800-mixed-mig-INVALID-value-line_johns-blog.prom",
  })
  void stockPage_hasNamesTypesAndHelpOfItsRelease(String release, String file) throws IOException {
    Map<String, Told> ours = told(gpuPage(release, "stock", true));
    // These need virtual GPUs or accounting mode.
    List<String> leftOut =
        List.of("DCGM_FI_DEV_ACCOUNTING_DATA", "DCGM_FI_DEV_VGPU_PER_PROCESS_UTILIZATION");
    told(dump(file))
        .forEach(
            (name, as) -> {
              if (!leftOut.contains(name)) {
                Told mine = ours.get(name);
                assertThat(mine).as(name).isNotNull();
                assertThat(mine.type()).as(name).isEqualTo(as.type());
                assertThat(mine.help()).as(name).isEqualTo(as.help());
              }
            });
  }

  /** Every field of the catalogue's default list is there, and none that isn't in the catalogue. */
  @Test
  void fields_areThoseOfTheCatalogue() throws IOException {
    Map<String, String> defaults = new TreeMap<>();
    List<String> known = new ArrayList<>();
    for (String line : dump("catalog/gpu-metrics.tsv")) {
      String[] cells = line.split("\t", -1);
      if (cells.length > 4 && cells[1].equals("dcgm-exporter")) {
        known.add(cells[0]);
        // The driver's version is a label, though the list has it as a field.
        if (cells[4].equals("yes") && !cells[0].equals("DCGM_FI_DRIVER_VERSION")) {
          defaults.put(cells[0], cells[2]);
        }
      }
    }
    Map<String, Told> stock = told(gpuPage("4.8", "stock", true));
    defaults.forEach(
        (name, type) -> {
          assertThat(stock).as(name).containsKey(name);
          assertThat(Objects.requireNonNull(stock.get(name)).type()).as(name).isEqualTo(type);
        });
    assertThat(told(gpuPage("4.8", "", true)).keySet())
        .allSatisfy(name -> assertThat(known).contains(name));
    assertThat(told(gpuPage("3.3", "", true)).keySet())
        .allSatisfy(name -> assertThat(known).contains(name));
  }

  @Test
  void values_areInTheExportersUnits() {
    rig.run(Rig.prefill(4000), 5);
    rig.gpus.get(1).xid(94);
    List<String> page = gpuPage("4.8", "", true);
    assertThat(value(page, "DCGM_FI_DEV_SM_CLOCK{gpu=\"0\"")).isBetween(1500.0, 2520.0);
    assertThat(value(page, "DCGM_FI_DEV_MEM_CLOCK{gpu=\"0\"")).isEqualTo(9001);
    assertThat(value(page, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"")).isBetween(90.0, 100.0);
    assertThat(value(page, "DCGM_FI_PROF_GR_ENGINE_ACTIVE{gpu=\"0\"")).isBetween(0.9, 1.0);
    double joules = rig.gauge(0, GpuQuantity.ENERGY);
    assertThat(value(page, "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION{gpu=\"0\""))
        .isEqualTo(Math.rint(joules * 1000));
    double free = value(page, "DCGM_FI_DEV_FB_FREE{gpu=\"0\"");
    double reserved = value(page, "DCGM_FI_DEV_FB_RESERVED{gpu=\"0\"");
    assertThat(free + reserved).isBetween(46_067.0, 46_069.0);
    assertThat(value(page, "DCGM_FI_DEV_MEMORY_TEMP{gpu=\"0\"")).isZero();
    assertThat(page)
        .anyMatch(
            line ->
                line.startsWith("DCGM_FI_DEV_XID_ERRORS{gpu=\"1\"")
                    && line.endsWith("err_code=\"94\",err_msg=\"Contained ECC error\"} 94"));
    assertThat(page).noneMatch(line -> line.contains("err_code=\"0\"") && line.contains("\"1\""));
  }

  @Test
  void withoutProfiling_itsFieldsAreZero() {
    rig.run(Rig.decode(8, 200), 3);
    List<String> page = gpuPage("4.8", "", false);
    assertThat(value(page, "DCGM_FI_PROF_DRAM_ACTIVE{gpu=\"0\"")).isZero();
    assertThat(value(page, "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"")).isPositive();
  }

  @Test
  void hostPage_hasNamesTypesAndHelpOfARealExporter() throws IOException {
    rig.rest(90);
    Subject subject =
        new Subject("host", Map.of(), Map.of("host", "gpu-node-0"), rig.host.measures());
    List<String> page =
        lines(
            PageFile.builtIn("node")
                .form(Version.parse("1.9.0"), Map.of())
                .writer(0)
                .write(List.of(subject), rig.agenda.now()));
    Map<String, Told> real =
        told(dump("fixtures/gpu/node_exporter_linux-e2e-recorded-procfs.prom"));
    Map<String, Told> ours = told(page);
    // The recorded host lacks them, as its own description says.
    List<String> notRecorded =
        ours.keySet().stream().filter(name -> !real.containsKey(name)).toList();
    assertThat(notRecorded)
        .allMatch(name -> name.matches("node_(memory_MemAvailable|filesystem|timex|uname).*"));
    ours.forEach(
        (name, mine) -> {
          Told as = real.get(name);
          if (as != null) {
            assertThat(mine.type()).as(name).isEqualTo(as.type());
            assertThat(mine.help()).as(name).isEqualTo(as.help());
            if (!as.labels().isEmpty()) {
              assertThat(mine.labels()).as(name).isEqualTo(as.labels());
            }
          }
        });
    assertThat(List.copyOf(ours.keySet())).isSorted();
    assertThat(value(page, "node_memory_MemTotal_bytes")).isEqualTo(256e9);
    assertThat(value(page, "node_cpu_seconds_total{cpu=\"15\",mode=\"idle\"}")).isPositive();
    assertThat(page).anyMatch(line -> line.contains("nodename=\"gpu-node-0\""));
  }
}
