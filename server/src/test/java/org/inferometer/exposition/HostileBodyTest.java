package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Bodies of megabytes made to be slow or to fill memory. Were any work quadratic they would take
 * hours; the timeout only ends such a run.
 */
@Timeout(60)
class HostileBodyTest {
  private static final int SIZE = 8 << 20;

  static Stream<Arguments> bodies() {
    return Stream.of(
        Arguments.of("one long name", "a", ""),
        Arguments.of("one long value", "a{b=\"", "x"),
        Arguments.of("deep escapes", "a{b=\"", "\\\\\\\""),
        Arguments.of("one long number", "a ", "1"),
        Arguments.of("one long fraction", "a 0.", "0"),
        Arguments.of("one long comment", "# ", "#"),
        Arguments.of("one long HELP", "# HELP a ", "\\"),
        Arguments.of("one long type", "# TYPE a ", "x"),
        Arguments.of("only blanks", "", " "),
        Arguments.of("only line feeds", "", "\n"),
        Arguments.of("only NUL", "", "\0"),
        Arguments.of("labels of one name", "a{", "b=\"\","),
        Arguments.of("label name and nothing", "a{", "b"),
        Arguments.of("quotes left open", "", "a{b=\"\n"),
        Arguments.of("quotes left open in pairs", "", "a{b=\"x\",c=\"\n"),
        Arguments.of("quotes closed on the next line", "", "a{b=\"\n\",c=\"\n"),
        Arguments.of("a quote left open above lines without any", "a{b=\"", "c 1\n"),
        Arguments.of("quoted names left open", "", "{\"\n"),
        Arguments.of("HELP with quotes left open", "", "# HELP \"a\n"),
        Arguments.of("escaped quotes", "", "a{b=\"\\\"\n"),
        Arguments.of("backslash at the end of the line", "", "a{b=\"\\\n"),
        Arguments.of("bad lines", "", "!\n"),
        Arguments.of("bad types", "", "# TYPE a b\n"),
        Arguments.of("exemplars", "", "a 1 # {b=\"c\"} 1\n"),
        Arguments.of("ends of file", "", "# EOF\n"),
        Arguments.of("empty families", "", "\0"),
        Arguments.of("families without a name", "", "\2\"\0"),
        Arguments.of("one family of empty metrics", "\177\177\177\177\7\n\1a", "\"\0"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("bodies")
  void work_isLinear_memoryBounded(String name, String start, String repeated) {
    byte[] body = Bodies.bytes(start + repeated.repeat(SIZE / Math.max(1, repeated.length())));
    for (Format format : Format.values()) {
      ExpositionParser parser = ExpositionParser.of(format, Mode.TOLERANT);
      parser.reset(body, body.length);
      int bad = 0;
      for (Event event = parser.next(); event != Event.END; event = parser.next()) {
        bad += event == Event.BAD_LINE ? 1 : 0;
      }
      assertThat(parser.badLineCount()).isEqualTo(bad);
      assertThat(parser.badLines()).hasSizeLessThanOrEqualTo(ExpositionParser.MAX_KEPT);
    }
  }

  @Test
  void labelsBeyondTheLimit_costOneLine() {
    StringBuilder labels = new StringBuilder("a{");
    for (int i = 0; i < 1_000_000; i++) {
      labels.append('l').append(i).append("=\"\",");
    }
    byte[] body = Bodies.bytes(labels.append("} 1\nb 1\n").toString());
    Bodies.Outcome outcome = Bodies.read(Format.TEXT, Mode.TOLERANT, body);
    assertThat(outcome.samples()).hasSize(1);
    assertThat(outcome.badLines().getFirst().reason()).isEqualTo("more than 1024 labels");
  }

  @Test
  void labelsUpToTheLimit_areRead() {
    StringBuilder line = new StringBuilder("a{");
    for (int i = 0; i < LabelSpans.MAX_LABELS; i++) {
      line.append('l').append(i).append("=\"x\",");
    }
    byte[] body = Bodies.bytes((line + "} 1\n").repeat(200));
    Bodies.Outcome outcome = Bodies.read(Format.TEXT, Mode.TOLERANT, body);
    assertThat(outcome.samples()).hasSize(200);
    assertThat(outcome.samples().getFirst().labels().size()).isEqualTo(1025);
    String twice = line.substring(0, line.length() - 10) + "l0=\"\"} 1";
    assertThat(Bodies.read(Format.TEXT, Mode.TOLERANT, twice).badLines()).hasSize(1);
  }

  @Test
  void manyBadLines_allocateLittle() {
    byte[] body = Bodies.bytes("bad line\n".repeat(500_000));
    ExpositionParser parser = ExpositionParser.of(Format.TEXT, Mode.TOLERANT);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    parser.reset(body, body.length);
    while (parser.next() != Event.END) {}
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(1 << 20);
    assertThat(parser.badLineCount()).isEqualTo(500_000);
  }
}
