package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class LineWriterTest {
  private final List<String> said = new CopyOnWriteArrayList<>();

  @Test
  void lines_areWrittenInTheirOrder() {
    StringWriter out = new StringWriter();
    try (LineWriter lines = new LineWriter(out, said::add)) {
      for (int i = 0; i < 1000; i++) {
        lines.accept("line " + i);
      }
    }
    assertThat(out.toString().lines()).hasSize(1000).last().isEqualTo("line 999");
    assertThat(said).isEmpty();
  }

  @Test
  void linesForWhichThereIsNoRoom_areDroppedAndToldOnce() {
    CountDownLatch goOn = new CountDownLatch(1);
    Writer slow =
        new StringWriter() {
          @Override
          public void write(String text) {
            try {
              goOn.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        };
    try (LineWriter lines = new LineWriter(slow, said::add)) {
      for (int i = 0; i < 20_000; i++) {
        lines.accept("line " + i);
      }
      goOn.countDown();
    }
    assertThat(said).hasSize(1).first().asString().contains("dropped");
  }

  @Test
  void brokenWriter_isTold() {
    Writer full =
        new Writer() {
          @Override
          public void write(char[] text, int offset, int length) throws IOException {
            throw new IOException("disk full");
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    try (LineWriter lines = new LineWriter(full, said::add)) {
      lines.accept("a");
    }
    assertThat(said).containsExactly("a log can't be written: disk full");
  }
}
