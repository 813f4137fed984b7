package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.inferometer.Shared;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;

class GpuReferenceTest {
  private static final Catalogue CATALOGUE = Catalogue.builtIn();
  private static final Vocabulary VOCABULARY = CATALOGUE.vocabulary();
  private static final GpuReference REFERENCE = GpuReference.builtIn(VOCABULARY);

  @Test
  void everyXidOfTheCatalogue_isListed() throws IOException {
    for (String line :
        Files.readAllLines(Shared.path("catalog/xid.tsv")).stream().skip(1).toList()) {
      String[] cells = line.split("\t", -1);
      int code = Integer.parseInt(cells[0]);
      if (!cells[6].equals("unused")) {
        assertThat(REFERENCE.xids()).as(line).containsKey(code);
      }
    }
  }

  @Test
  void xidsToPageFor_askForMoreThanANote() throws IOException {
    for (String line :
        Files.readAllLines(Shared.path("catalog/xid.tsv")).stream().skip(1).toList()) {
      String[] cells = line.split("\t", -1);
      if (cells[7].equals("yes")) {
        assertThat(REFERENCE.xid(Integer.parseInt(cells[0])).severity())
            .as(line)
            .isIn(Xid.Severity.RESET, Xid.Severity.LINK, Xid.Severity.NODE, Xid.Severity.CHECK);
      }
    }
  }

  @Test
  void unlistedXid_saysSo() {
    assertThat(REFERENCE.xid(999).means()).isEqualTo("Xid 999, of which the vendor says nothing.");
  }

  @Test
  void reasonsThatMatter_areTheMaskE8() {
    long mask = 0;
    for (ClockEventReason reason : REFERENCE.reasons()) {
      mask |= reason.matters() ? 1L << reason.bit() : 0;
    }
    assertThat(mask).isEqualTo(0xE8);
    assertThat(REFERENCE.reasons(0b1000_0101))
        .extracting(ClockEventReason::bit)
        .containsExactly(0, 2, 7);
    assertThat(REFERENCE.reasons(0)).isEmpty();
  }

  @Test
  void everyGpuDialect_hasNames() {
    List<String> ids =
        CATALOGUE.dialects().stream()
            .filter(dialect -> dialect.kind() == ServiceKind.GPU)
            .map(Dialect::id)
            .toList();
    assertThat(REFERENCE.names().keySet()).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void wrongFiles_areToldWithTheirLines() {
    GpuReference.Files files =
        new GpuReference.Files(
            """
            inputs:
              - {signal: gpu_util, words: a, missing: b}
              - {signal: nothing, words: a, missing: b}
            states:
              - id: a
                name: A
                when:
                  - {signal: kv_usage, below: 1, source: c}
                  - {signal: gpu_util, source: c}
                says: b
                next: c
            """,
            """
            source: s
            xids:
              - {codes: [1, 1.5, 1], severity: bad, means: a, action: b}
            """,
            """
            source: s
            reasons:
              - {bit: 63, name: a, says: b, matters: perhaps}
            """,
            """
            gpus:
              - {dialect: a, rows: ["sum("]}
              - {dialect: b}
            """);
    assertThatThrownBy(() -> GpuReference.load(files, VOCABULARY))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("matrix.yaml:3")
        .hasMessageContaining("unknown signal \"nothing\"")
        .hasMessageContaining("expected one of the inputs, not \"kv_usage\"")
        .hasMessageContaining("a condition needs \"at_least\" or \"below\"")
        .hasMessageContaining("expected a code from 0 to 100000, not 1.5")
        .hasMessageContaining("Xid 1 stands twice")
        .hasMessageContaining("expected a bit from 0 to 62")
        .hasMessageContaining("expected true or false, not \"perhaps\"")
        .hasMessageContaining("not PromQL")
        .hasMessageContaining("needs a query in \"rows\"");
  }

  @Test
  void damagedFiles_areRefusedOrRead() {
    GpuReference.Files files = GpuReference.builtInFiles();
    List<String> texts = List.of(files.matrix(), files.xids(), files.reasons(), files.gpus());
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      char[] damaged = texts.get(i % 4).toCharArray();
      for (int j = 0; j < 3; j++) {
        damaged[random.nextInt(damaged.length)] = (char) (32 + random.nextInt(95));
      }
      try {
        GpuReference read =
            GpuReference.load(SignalFilesFuzz.files(i % 4, new String(damaged)), VOCABULARY);
        assertThat(read.matrix().judge(Map.of()).id()).isEqualTo(DecisionMatrix.CANNOT_TELL);
      } catch (YamlException e) {
        assertThat(e.getMessage()).contains(".yaml:");
      }
    }
  }
}
