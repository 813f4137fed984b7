package org.inferometer.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Objects;
import org.inferometer.Shared;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HardwareTest {
  private final Hardware hardware = Hardware.builtIn();

  @ParameterizedTest
  @CsvSource({
    "NVIDIA H100 80GB HBM3, H100-SXM",
    "h100, H100-SXM",
    "H100_SXM5, H100-SXM",
    "NVIDIA H100 PCIe, H100-PCIe",
    "NVIDIA H100 NVL, H100-NVL",
    "NVIDIA H200, H200",
    "Tesla T4, T4",
    "NVIDIA L40S, L40S",
    "NVIDIA A100-SXM4-80GB, A100-80GB-SXM",
    "NVIDIA A100-SXM4-40GB, A100-40GB-SXM",
    "NVIDIA A800-SXM4-80GB, A800-80GB-SXM",
    "NVIDIA A100 80GB PCIe, A100-80GB-PCIe",
    "NVIDIA GeForce RTX 4090, RTX-4090",
    "AMD Instinct MI300X OAM, MI300X",
    "mi300x, MI300X",
    "A100-80GB-SXM, A100-80GB-SXM",
    "NVIDIA GH200 480GB, GH200-96GB",
  })
  void find_byWhatExportersPrintAndPeopleSay(String name, String id) {
    assertThat(Objects.requireNonNull(hardware.find(name)).id()).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource({
    "NVIDIA RTX 4000 Ada Generation",
    "GRID A100-40C",
    "NVIDIA A100-SXM4-80GB MIG 2g.20gb",
    "NVIDIA H20",
    "L4S",
    "''",
    "NVIDIA",
  })
  void find_neverTakesOneForAnother(String name) {
    assertThat(hardware.find(name)).isNull();
  }

  @Test
  void find_veryLongName() {
    assertThat(hardware.find("H100".repeat(100_000))).isNull();
  }

  @Test
  void numbersAreDense() {
    Hardware.Gpu h100 = Objects.requireNonNull(hardware.find("H100"));
    assertThat(h100.bf16Flops()).isEqualTo(989e12);
    assertThat(h100.bandwidth()).isEqualTo(3.35e12);
    assertThat(h100.memory()).isEqualTo(80e9);
    // Turing has no BF16: that isn't known, and so not said.
    assertThat(Objects.requireNonNull(hardware.find("T4")).bf16Flops()).isNull();
    // A card of two devices, of which an exporter shows each.
    assertThat(Objects.requireNonNull(hardware.find("MI250X")).memory()).isEqualTo(64e9);
  }

  @Test
  void catalogueAndFile_agree() throws IOException {
    for (String line :
        Files.readAllLines(Shared.path("catalog/gpu-hardware.tsv")).stream().skip(1).toList()) {
      String[] cells = line.split("\t", -1);
      Hardware.Gpu gpu = hardware.find(cells[3]);
      assertThat(gpu).as(cells[3]).isNotNull();
      double devices = Objects.requireNonNull(gpu).id().equals("MI250X") ? 2 : 1;
      if (gpu.bf16Flops() != null) {
        assertThat(gpu.bf16Flops() * devices)
            .as(cells[3])
            .isEqualTo(Double.parseDouble(cells[7]) * 1e12);
      }
      double bandwidth = Double.parseDouble(cells[6]) * 1e9;
      assertThat(Objects.requireNonNull(gpu.bandwidth()) * devices)
          .as(cells[3])
          .isBetween(bandwidth * 0.999, bandwidth * 1.001);
    }
  }

  @Test
  void everyGpu_hasASource() {
    assertThat(hardware.gpus())
        .hasSizeGreaterThan(20)
        .allSatisfy(gpu -> assertThat(gpu.source()).isNotBlank());
  }

  /** Bandwidth follows from the memory's clock, so that a slip in either shows. */
  @Test
  void boards_agreeWithTheRest() {
    for (Hardware.Gpu gpu : hardware.gpus()) {
      Hardware.Board board = Objects.requireNonNull(gpu.board(), gpu.id());
      double memory = Objects.requireNonNull(gpu.memory());
      // A driver counts between a tenth less and a tenth more than the maker.
      assertThat(board.memory() / memory).as(gpu.id()).isBetween(0.93, 1.1);
      // Bits on each wire and cycle times wires: a bus of 64 to 1024 bytes, sent twice a cycle.
      double width = Objects.requireNonNull(gpu.bandwidth()) / board.memoryClock();
      assertThat(width).as(gpu.id()).isBetween(40.0, 4200.0);
      assertThat(board.idle()).as(gpu.id()).isBetween(5.0, 200.0);
      assertThat(board.smClock()).as(gpu.id()).isBetween(1.3e9, 2.8e9);
      assertThat(board.pcieGeneration()).as(gpu.id()).isBetween(3, 6);
      assertThat(gpu.bf16Flops() != null || board.flops() != null).as(gpu.id()).isTrue();
    }
  }

  @Test
  void links_asTheCatalogueHasThem() throws IOException {
    for (String line :
        Files.readAllLines(Shared.path("catalog/gpu-hardware.tsv")).stream().skip(1).toList()) {
      String[] cells = line.split("\t", -1);
      Hardware.Gpu gpu = Objects.requireNonNull(hardware.find(cells[3]), cells[3]);
      double link = Objects.requireNonNull(gpu.board()).link();
      boolean whole = cells[11].matches("\\d+") && !gpu.id().equals("MI250X");
      if (whole) {
        assertThat(link).as(cells[3]).isEqualTo(Double.parseDouble(cells[11]) * 1e9);
      }
      if (cells[11].equals("-")) {
        assertThat(link).as(cells[3]).isZero();
      }
      if (cells[10].matches("\\d+") && gpu.power() != null) {
        assertThat(gpu.power()).as(cells[3]).isEqualTo(Double.parseDouble(cells[10]));
      }
    }
  }

  @Test
  void wrongFile_isToldWithItsLines() {
    String text =
        """
        gpus:
          - {id: A, names: [a], bandwidth: -1, source: s}
          - {id: A, names: [A], source: s}
          - {id: B, source: s, speed: 1}
          - {id: C, names: [c], board: {pcie: 0, idle: x, volts: 1}, source: s}
        """;
    assertThatThrownBy(() -> Hardware.load("h.yaml", text))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("h.yaml:2:")
        .hasMessageContaining("expected a number above 0, not -1")
        .hasMessageContaining("GPU \"A\" stands twice")
        .hasMessageContaining("\"A\" names A as well")
        .hasMessageContaining("unknown key \"speed\"")
        .hasMessageContaining("\"names\" is missing")
        .hasMessageContaining("h.yaml:5:")
        .hasMessageContaining("unknown key \"volts\" in a board")
        .hasMessageContaining("\"sm_clock\" is missing in a board")
        .hasMessageContaining("expected a number above 0, not 0.0");
  }

  @Test
  void damagedFile_isRefusedOrRead() {
    String text = Bundled.text("hardware/gpus.yaml");
    java.util.Random random = new java.util.Random(7);
    for (int i = 0; i < 200; i++) {
      char[] damaged = text.toCharArray();
      for (int j = 0; j < 3; j++) {
        damaged[random.nextInt(damaged.length)] = (char) (32 + random.nextInt(95));
      }
      try {
        assertThat(Hardware.load("h.yaml", new String(damaged)).gpus()).isNotEmpty();
      } catch (YamlException e) {
        assertThat(e.getMessage()).contains("h.yaml:");
      }
    }
  }
}
