package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.app.BlockAnalysis.Item;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.chunk.ChunkBuilder;
import org.inferometer.tsdb.chunk.StoredChunk;
import org.junit.jupiter.api.Test;

class BlockAnalysisTest {
  private final BlockAnalysis analysis = new BlockAnalysis(1000);

  private void add(long minMs, long maxMs, int samples, String... labels) {
    ChunkBuilder chunk = ChunkBuilder.begin(null, minMs, 1, null);
    for (int i = 1; i < samples - 1; i++) {
      chunk.with(minMs + i, 1, null);
    }
    if (samples > 1) {
      chunk.with(maxMs, 1, null);
    }
    List<StoredChunk> chunks = List.of(chunk.seal());
    analysis.add(Labels.of(labels), chunks);
    analysis.addFill(chunks);
  }

  @Test
  void figures_areSharesOfAbsenceAndCounts() {
    add(0, 0, 1, "__name__", "a", "x", "é");
    add(0, 600, 12, "__name__", "a", "x", "2");
    add(0, 900, 13, "__name__", "b", "x", "2");
    add(0, 1000, 120, "__name__", "c");
    assertThat(analysis.series()).isEqualTo(4);
    assertThat(analysis.labelNames()).isEqualTo(2);
    assertThat(analysis.pairs()).isEqualTo(5);
    assertThat(analysis.pairEntries()).isEqualTo(7);
    assertThat(analysis.pairsByChurn(2))
        .containsExactly(new Item("__name__=a", 1), new Item("x=é", 1));
    assertThat(analysis.namesByChurn(9)).containsExactly(new Item("__name__", 1), new Item("x", 1));
    assertThat(analysis.pairsBySeries(2))
        .containsExactly(new Item("__name__=a", 2), new Item("x=2", 2));
    assertThat(analysis.namesByValueBytes(9))
        .containsExactly(new Item("__name__", 3), new Item("x", 3));
    assertThat(analysis.namesByValues(1)).containsExactly(new Item("__name__", 3));
    assertThat(analysis.metricsBySeries(1)).containsExactly(new Item("a", 2));
    assertThat(analysis.chunksByFill()).containsExactly(2, 1, 0, 0, 0, 0, 0, 0, 0, 1);
  }
}
