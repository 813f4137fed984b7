package org.inferometer.simulator.request;

import java.util.Arrays;
import org.inferometer.simulator.event.Dice;

/** A prompt of segments: each is the beginning of an endless text that its content names. */
public final class SegmentPrompt implements Prompt {
  private final long[] contents;
  private final int[] ends;

  private SegmentPrompt(long[] contents, int[] ends) {
    this.contents = contents;
    this.ends = ends;
  }

  public static SegmentPrompt empty() {
    return new SegmentPrompt(new long[0], new int[0]);
  }

  @Override
  public SegmentPrompt then(long content, int length) {
    if (length < 0) {
      throw new IllegalArgumentException("expected a length from 0 on, not " + length);
    }
    if (length == 0) {
      return this;
    }
    int n = contents.length;
    long[] longer = Arrays.copyOf(contents, n + 1);
    int[] longerEnds = Arrays.copyOf(ends, n + 1);
    longer[n] = content;
    longerEnds[n] = Math.addExact(length(), length);
    return new SegmentPrompt(longer, longerEnds);
  }

  @Override
  public int length() {
    return ends.length == 0 ? 0 : ends[ends.length - 1];
  }

  @Override
  public long contentKey(int from, int to) {
    long key = 0;
    int start = 0;
    for (int i = 0; i < contents.length && start < to; i++) {
      int a = Math.max(from, start);
      int b = Math.min(to, ends[i]);
      if (a < b) {
        key = Dice.mix(key ^ contents[i]);
        key = Dice.mix(key ^ (((long) (a - start) << 32) | (b - start)));
      }
      start = ends[i];
    }
    return key;
  }
}
