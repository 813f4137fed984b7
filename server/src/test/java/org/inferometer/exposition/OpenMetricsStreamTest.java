package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class OpenMetricsStreamTest {
  private final OpenMetricsStream stream = new OpenMetricsStream();
  private final List<String> samples = new ArrayList<>();

  private void piece(String text, boolean isLast) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    stream.piece(bytes, bytes.length, isLast);
    ExpositionParser parser = stream.parser();
    for (Event event = parser.next(); event != Event.END; event = parser.next()) {
      if (event == Event.SERIES) {
        samples.add(parser.labels() + " " + parser.value() + " " + parser.timestampMs());
      }
    }
    // The array may be used again, once all of it was read.
    Arrays.fill(bytes, (byte) 'x');
  }

  @Test
  void type_holdsOverPieces() {
    piece("# TYPE h histogram\n", false);
    piece("h_bucket{le=\"1\"} 1 1\n", false);
    piece("# EOF\n", true);
    assertThat(samples).containsExactly("h_bucket{le=\"1.0\"} 1.0 1000");
  }

  @Test
  void lines_areCountedOverPieces() {
    piece("a 1\nb 2\n", false);
    piece("c 3\n", false);
    assertThatThrownBy(() -> piece("d 4\n?\n# EOF\n", true))
        .isInstanceOf(ExpositionException.class)
        .hasMessageStartingWith("line 5, column 1: ");
  }

  @Test
  void end_isAskedForOfTheLastPieceOnly() {
    piece("a 1\n", false);
    assertThatThrownBy(() -> piece("b 1\n", true))
        .hasMessageStartingWith("line 3, column 1: no # EOF at the end");
  }

  @Test
  void emptyLastPiece_hasNoEnd() {
    piece("a 1\n", false);
    assertThatThrownBy(() -> piece("", true)).hasMessageStartingWith("line 2, column 1: no # EOF");
  }

  @Test
  void linesBehindTheEnd_areRefusedOverPieces() {
    piece("a 1\n", false);
    assertThatThrownBy(() -> piece("# EOF\n", false))
        .hasMessageStartingWith("line 2, column 6: lines after # EOF");
  }

  @Test
  void refusals_nameTheLine() {
    piece("a 1\nb 2\n", false);
    assertThat(stream.refusalOfNext("too long", "less")).hasMessageStartingWith("line 3, column 1");
    byte[] next = "c 3\nd 4\n".getBytes(StandardCharsets.UTF_8);
    stream.piece(next, next.length, false);
    stream.parser().next();
    assertThat(stream.refusal("no timestamp", "seconds"))
        .hasMessage("line 3, column 4: no timestamp, expected seconds: c 3");
  }

  @Test
  void pieceWithoutLineFeed_isTheCallersMistake() {
    assertThatThrownBy(() -> piece("a 1", false)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> piece("", false)).isInstanceOf(IllegalArgumentException.class);
  }

  /** Whatever the pieces, the outcome is that of the whole, message and place included. */
  @Test
  void damagedText_readsInPiecesAsInOne() {
    String page =
        "# HELP a b\n# TYPE a counter\na_total{x=\"é\"} 1 1 # {t=\"1\"} 1\n"
            + "# TYPE s summary\ns{quantile=\"0\"} 1 2\nb NaN 3\n# EOF\n";
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] bytes = page.getBytes(StandardCharsets.UTF_8);
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
      bytes = Arrays.copyOf(bytes, bytes.length - random.nextInt(3) / 2);
      assertThat(outcome(bytes, random)).as("round " + i).isEqualTo(outcome(bytes, null));
    }
  }

  private static String outcome(byte[] bytes, @Nullable Random cuts) {
    OpenMetricsStream stream = new OpenMetricsStream();
    StringBuilder seen = new StringBuilder();
    int from = 0;
    try {
      while (from >= 0) {
        int to = cuts == null ? bytes.length : cut(bytes, from, cuts);
        byte[] piece = Arrays.copyOfRange(bytes, from, to);
        stream.piece(piece, piece.length, to == bytes.length);
        ExpositionParser parser = stream.parser();
        for (Event event = parser.next(); event != Event.END; event = parser.next()) {
          seen.append(event).append(parser.name()).append(parser.type());
        }
        from = to == bytes.length ? -1 : to;
      }
    } catch (ExpositionException e) {
      seen.append(e.getMessage());
    }
    return seen.toString();
  }

  /** Behind one of the next line feeds, or the end. */
  private static int cut(byte[] bytes, int from, Random random) {
    int lines = 1 + random.nextInt(3);
    for (int i = from; i < bytes.length; i++) {
      if (bytes[i] == '\n' && --lines == 0) {
        return i + 1;
      }
    }
    return bytes.length;
  }
}
