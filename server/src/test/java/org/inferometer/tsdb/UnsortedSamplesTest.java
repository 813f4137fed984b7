package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.inferometer.io.Disk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnsortedSamplesTest {
  @TempDir Path folder;

  private static List<String> all(UnsortedSamples samples) throws IOException {
    List<String> all = new ArrayList<>();
    samples.forEach(
        (series, timestampMs, value) -> all.add(series + " " + timestampMs + " " + value));
    return all;
  }

  @Test
  void samples_comeBackInTheirOrder_spilledOrNot() throws Exception {
    UnsortedSamples samples = new UnsortedSamples(Disk.real(), folder.resolve("s"), 1000);
    List<String> expected = new ArrayList<>();
    Random random = new Random(1);
    for (int i = 0; i < 5000; i++) {
      long timestampMs = 1000L + random.nextInt();
      if (timestampMs < 1000) {
        timestampMs = 1000;
      }
      samples.add(i, timestampMs, i / 3.0);
      expected.add(i + " " + timestampMs + " " + i / 3.0);
      if (random.nextInt(1000) == 0) {
        samples.spill();
        assertThat(samples.bufferBytes()).isZero();
      }
    }
    assertThat(all(samples)).isEqualTo(expected);
    assertThat(samples.size()).isEqualTo(5000);
    assertThat(samples.minMs()).isEqualTo(1000);
    samples.clear();
    assertThat(all(samples)).isEmpty();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void spillOfNothing_makesNoFile() throws Exception {
    new UnsortedSamples(Disk.real(), folder.resolve("s"), 0).spill();
    assertThat(folder).isEmptyDirectory();
  }
}
