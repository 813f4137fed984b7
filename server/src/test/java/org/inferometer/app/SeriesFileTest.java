package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.inferometer.model.Labels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesFileTest {
  private final List<String> samples = new ArrayList<>();
  private long readBytes;

  private SeriesFile read(int pieceBytes, int lineBytesMax, String text) throws IOException {
    SeriesFile file = new SeriesFile("x.om", pieceBytes, lineBytesMax);
    List<Labels> series = new ArrayList<>();
    file.read(
        new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
        new SeriesFile.Sink() {
          @Override
          public int series(Labels labels) {
            series.add(labels);
            return series.size() - 1;
          }

          @Override
          public void sample(int id, long timestampMs, double value) {
            samples.add(series.get(id) + " " + value + " " + timestampMs);
          }
        },
        bytes -> readBytes = bytes);
    return file;
  }

  private SeriesFile read(String text) throws IOException {
    return read(SeriesFile.PIECE_BYTES, SeriesFile.LINE_BYTES_MAX, text);
  }

  @Test
  void samples_comeWithLabelsAndMilliseconds() throws Exception {
    String text =
        "# HELP a b\n# TYPE a gauge\na{x=\"1\"} 1 1700000000\na{x=\"2\"} 2 1.5\na{x=\"1\"} 3 2\n"
            + "# EOF\n";
    read(text);
    assertThat(samples)
        .containsExactly(
            "a{x=\"1\"} 1.0 1700000000000", "a{x=\"2\"} 2.0 1500", "a{x=\"1\"} 3.0 2000");
    assertThat(readBytes).isEqualTo(text.length());
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 8, 16, 17, 100, 101, 1000})
  void pieces_dontMatter(int pieceBytes) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 50; i++) {
      text.append("a{x=\"").append(i % 7).append("\"} ").append(i).append(" 1").append(i);
      text.append('\n');
    }
    read(pieceBytes, 1000, text + "# EOF\n");
    List<String> inPieces = List.copyOf(samples);
    samples.clear();
    read(text + "# EOF\n");
    assertThat(samples).hasSize(50).isEqualTo(inPieces);
  }

  @Test
  void endOfFile_mayFillAPieceExactly() throws Exception {
    read(16, 100, "a 1 1\nbb 1 1\nc 1 1\n# EOF\n");
    assertThat(samples).hasSize(3);
    assertThat(read(6, 100, "# EOF\n").exemplars()).isZero();
    assertThat(read(7, 100, "# EOF\n").exemplars()).isZero();
  }

  @Test
  void hugeValue_isTaken() throws Exception {
    read("a{x=\"" + "v".repeat(3 << 20) + "\"} 1 1\n# EOF\n");
    assertThat(samples).hasSize(1);
  }

  @Test
  void tooLongLine_isRefusedByItsNumber() {
    assertThatThrownBy(() -> read(16, 64, "a 1 1\nb 1 1\n" + "c".repeat(100) + " 1 1\n# EOF\n"))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith(
            "x.om:3:1: line too long, expected at most 64 bytes, then a line feed");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "b 1 | x.om:2:4: sample without a timestamp, expected seconds since 1970",
        "b 1 1700000000000 | x.om:2:18: timestamp before 1970 or after 9999",
        "b 1 -1 | x.om:2:7: timestamp before 1970",
        "b 1 1e300 | x.om:2:10: timestamp before 1970",
        "b 1 x | x.om:2:5: ",
        "b | x.om:2:2: no value, expected one space and a number: b",
        "'b{x=\"} 1 1' | x.om:2:5: quote not closed",
      })
  void badLines_areRefusedWithPlaceAndWhatWasExpected(String line, String message) {
    assertThatThrownBy(() -> read("a 1 1\n" + line + "\n# EOF\n"))
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void milliseconds_areSuspected() {
    assertThatThrownBy(() -> read("b 1 1700000000000\n# EOF\n"))
        .hasMessageContaining("these may be milliseconds");
  }

  @Test
  void cutOffFile_isRefused() {
    assertThatThrownBy(() -> read("a 1 1\n")).hasMessageStartingWith("x.om:2:1: no # EOF");
    assertThatThrownBy(() -> read("")).hasMessageStartingWith("x.om:1:1: no # EOF");
  }

  @Test
  void otherThings_areCalledByName() {
    assertThatThrownBy(() -> read("<html><title>Login</title>"))
        .hasMessageContaining("The body is an HTML page");
  }

  @Test
  void exemplars_areCounted() throws Exception {
    assertThat(read("# TYPE a counter\na_total 1 1 # {t=\"1\"} 1\n# EOF\n").exemplars())
        .isEqualTo(1);
  }

  @Test
  void damagedFile_isReadOrRefused() throws Exception {
    Random random = new Random(3);
    String good = "# TYPE a counter\na_total{x=\"y\"} 1 1700000000.5\nb 2 3\n# EOF\n";
    for (int i = 0; i < 3000; i++) {
      char[] text = good.toCharArray();
      for (int j = 0; j <= random.nextInt(3); j++) {
        text[random.nextInt(text.length)] = (char) random.nextInt(128);
      }
      try {
        read(8 + random.nextInt(40), 200, new String(text, 0, random.nextInt(text.length + 1)));
      } catch (CommandException e) {
        assertThat(e.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(e.getMessage()).startsWith("x.om:").contains("expected");
      }
    }
  }
}
