package org.inferometer.exposition;

import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.inferometer.model.Labels;

/**
 * Where the labels of one line or message stand in the body, names and values without their quotes.
 * Made once and filled again for each. Not thread-safe.
 */
final class LabelSpans {
  /** Far more than any target has; bounds the memory and the work per line. */
  static final int MAX_LABELS = 1024;

  /** From here on names are compared through a set rather than pair by pair. */
  private static final int FEW = 32;

  private static final int WIDTH = 4;

  /** Whether backslashes in names and values are escapes. */
  private final boolean escapes;

  /** Start and end of the name, start and end of the value; and so on. */
  private int[] spans = new int[16 * WIDTH];

  private int count;

  /** A bit for each of 64 kinds of name; two names of one kind may be equal. */
  private long kinds;

  private boolean mayRepeat;

  LabelSpans(boolean escapes) {
    this.escapes = escapes;
  }

  void clear() {
    count = 0;
    kinds = 0;
    mayRepeat = false;
  }

  int count() {
    return count;
  }

  int nameStart(int index) {
    return spans[index * WIDTH];
  }

  int nameEnd(int index) {
    return spans[index * WIDTH + 1];
  }

  int valueStart(int index) {
    return spans[index * WIDTH + 2];
  }

  int valueEnd(int index) {
    return spans[index * WIDTH + 3];
  }

  /** Adds a label; false if there are too many. */
  boolean add(byte[] body, int nameStart, int nameEnd, int valueStart, int valueEnd) {
    if (count == MAX_LABELS) {
      return false;
    }
    int at = count * WIDTH;
    if (at == spans.length) {
      spans = Arrays.copyOf(spans, 2 * at);
    }
    spans[at] = nameStart;
    spans[at + 1] = nameEnd;
    spans[at + 2] = valueStart;
    spans[at + 3] = valueEnd;
    count++;
    note(body, nameStart, nameEnd);
    return true;
  }

  private void note(byte[] body, int start, int end) {
    int length = end - start;
    long kind = 1L << (length + 7 * body[start] + 13 * body[end - 1]);
    boolean escaped = escapes && body[end] == '"' && Utf8.hasBackslash(body, start, end);
    mayRepeat |= (kinds & kind) != 0 || escaped;
    kinds |= kind;
  }

  /** The index of the first label whose name an earlier one has, or -1. */
  int repeated(byte[] body) {
    if (!mayRepeat) {
      return -1;
    }
    return count <= FEW && !anyEscaped(body) ? repeatedByPairs(body) : repeatedBySet(body);
  }

  private boolean anyEscaped(byte[] body) {
    for (int i = 0; escapes && i < count; i++) {
      if (Utf8.hasBackslash(body, nameStart(i), nameEnd(i))) {
        return true;
      }
    }
    return false;
  }

  private int repeatedByPairs(byte[] body) {
    for (int i = 1; i < count; i++) {
      for (int j = 0; j < i; j++) {
        if (Arrays.equals(body, nameStart(i), nameEnd(i), body, nameStart(j), nameEnd(j))) {
          return i;
        }
      }
    }
    return -1;
  }

  private int repeatedBySet(byte[] body) {
    Set<String> names = new HashSet<>(2 * count);
    for (int i = 0; i < count; i++) {
      if (!names.add(name(body, i))) {
        return i;
      }
    }
    return -1;
  }

  String name(byte[] body, int index) {
    return text(body, nameStart(index), nameEnd(index));
  }

  String value(byte[] body, int index) {
    return text(body, valueStart(index), valueEnd(index));
  }

  private String text(byte[] body, int from, int to) {
    return escapes ? Utf8.unescape(body, from, to, true) : Utf8.decode(body, from, to);
  }

  /** Whether there is a label whose name, as it stands there, is a word of ASCII. */
  boolean hasPlain(byte[] body, String word) {
    for (int i = 0; i < count; i++) {
      if (isWord(body, nameStart(i), nameEnd(i), word)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isWord(byte[] body, int from, int to, String word) {
    if (to - from != word.length()) {
      return false;
    }
    for (int i = from; i < to; i++) {
      if (body[i] != word.charAt(i - from)) {
        return false;
      }
    }
    return true;
  }

  boolean has(byte[] body, String name) {
    for (int i = 0; i < count; i++) {
      if (name(body, i).equals(name)) {
        return true;
      }
    }
    return false;
  }

  /** Characters in all names and values, as the limit on exemplars counts them. */
  int characters(byte[] body) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
      sum += characters(name(body, i)) + characters(value(body, i));
    }
    return sum;
  }

  private static int characters(String text) {
    return text.codePointCount(0, text.length());
  }

  /** The labels as they stand, the last of equal names. */
  Labels toLabels(byte[] body) {
    Labels.Builder labels = new Labels.Builder();
    for (int i = 0; i < count; i++) {
      labels.set(name(body, i), value(body, i));
    }
    return labels.build();
  }
}
