package org.inferometer.tsdb.block;

import java.util.List;

/**
 * What a look at all of a block found.
 *
 * @param problems the first ones, each a sentence that names file and, where there is one, offset
 * @param problemCount how many there are
 * @param found what could be counted
 * @param sizeBytes of all files; 0 if it couldn't be opened
 */
public record BlockReport(
    List<String> problems, long problemCount, BlockMeta.Stats found, long sizeBytes) {
  public BlockReport {
    problems = List.copyOf(problems);
  }

  public boolean isSound() {
    return problemCount == 0;
  }

  /** A line for people. */
  public String summary() {
    return "%d series, %d chunks, %d samples, %d tombstones, %d bytes: %s"
        .formatted(
            found.series(),
            found.chunks(),
            found.samples(),
            found.tombstones(),
            sizeBytes,
            isSound() ? "sound" : problemCount + (problemCount == 1 ? " problem" : " problems"));
  }
}
