package org.inferometer.simulator.engine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What one step computes: sequences, and the tokens of each. Used again and again. */
final class StepPlan {
  final StepWork work = new StepWork();

  @Nullable Sequence[] sequences = new Sequence[64];

  /** The tokens that were computed before. */
  int[] starts = new int[64];

  /** Tokens to compute, drafts included. */
  int[] tokens = new int[64];

  /** The drafts among them. */
  int[] drafts = new int[64];

  /** Whether it is a part of a prefill. */
  boolean[] prefills = new boolean[64];

  /** Whether a token comes of it: a prefill's last part, or a decode. */
  boolean[] brings = new boolean[64];

  /** Tokens of a prefill that had been computed before its sequence was driven out. */
  int[] again = new int[64];

  int count;

  /** When it began and how long it takes, in ns. */
  long beganNs;

  long tookNs;

  void clear() {
    Arrays.fill(sequences, 0, count, null);
    count = 0;
    work.clear();
  }

  boolean isEmpty() {
    return count == 0;
  }

  Sequence sequence(int index) {
    Sequence sequence = sequences[index];
    if (sequence == null) {
      throw new IndexOutOfBoundsException(index);
    }
    return sequence;
  }

  /** Adds a sequence that computes so many tokens, and moves it on. */
  void add(Sequence sequence, int newTokens, int draftTokensNext) {
    ensure(count + 1);
    int end = sequence.computed + newTokens;
    int certain = sequence.known + sequence.inFlight;
    sequences[count] = sequence;
    starts[count] = sequence.computed;
    tokens[count] = newTokens;
    drafts[count] = Math.max(0, end - certain);
    prefills[count] = sequence.isPrefilling();
    again[count] =
        prefills[count] ? Math.max(0, Math.min(end, sequence.computedOnce) - starts[count]) : 0;
    brings[count] = end >= certain;
    if (brings[count]) {
      sequence.inFlight += 1 + drafts[count];
      sequence.drafts = draftTokensNext;
    }
    sequence.computed = end;
    count++;
  }

  /**
   * Takes a sequence out that is preempted after all.
   *
   * @return the tokens it would have computed; 0 if it isn't here
   */
  int remove(Sequence sequence) {
    for (int i = 0; i < count; i++) {
      if (sequences[i] == sequence) {
        return removeAt(i, sequence);
      }
    }
    return 0;
  }

  private int removeAt(int index, Sequence sequence) {
    int newTokens = tokens[index];
    if (brings[index]) {
      sequence.inFlight -= 1 + drafts[index];
    }
    sequence.computed -= newTokens;
    int moved = --count - index;
    System.arraycopy(sequences, index + 1, sequences, index, moved);
    System.arraycopy(starts, index + 1, starts, index, moved);
    System.arraycopy(tokens, index + 1, tokens, index, moved);
    System.arraycopy(drafts, index + 1, drafts, index, moved);
    System.arraycopy(prefills, index + 1, prefills, index, moved);
    System.arraycopy(again, index + 1, again, index, moved);
    System.arraycopy(brings, index + 1, brings, index, moved);
    sequences[count] = null;
    return newTokens;
  }

  /** Sums up the work once all sequences are there. */
  void measure() {
    work.clear();
    for (int i = 0; i < count; i++) {
      if (prefills[i]) {
        measurePrefill(starts[i], tokens[i]);
      } else {
        work.decodeRequests++;
        work.decodeTokens += tokens[i];
        work.decodeContext += starts[i] + tokens[i];
      }
      if (brings[i] && sequence(i).penalties) {
        work.penalised++;
      }
    }
  }

  private void measurePrefill(int start, int newTokens) {
    work.prefillRequests++;
    work.prefillTokens += newTokens;
    work.prefillContext += start;
    // The token at place p attends to p + 1 tokens, itself included.
    work.prefillAttention += newTokens * (start + (newTokens + 1) * 0.5);
  }

  private void ensure(int size) {
    if (size > tokens.length) {
      int length = size * 2;
      sequences = Arrays.copyOf(sequences, length);
      starts = Arrays.copyOf(starts, length);
      tokens = Arrays.copyOf(tokens, length);
      drafts = Arrays.copyOf(drafts, length);
      prefills = Arrays.copyOf(prefills, length);
      again = Arrays.copyOf(again, length);
      brings = Arrays.copyOf(brings, length);
    }
  }
}
