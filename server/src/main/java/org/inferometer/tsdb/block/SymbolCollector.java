package org.inferometer.tsdb.block;

import java.util.Arrays;
import org.inferometer.model.Utf8Order;

/**
 * The names and values of a block that is written, each numbered when it is first seen: a hash
 * table of numbers over an array of texts. Not thread-safe.
 */
final class SymbolCollector {
  private String[] symbols = new String[1 << 10];
  private int[] slots = new int[1 << 12];
  private int size;

  int size() {
    return size;
  }

  String get(int number) {
    return symbols[number];
  }

  /** The number of a text, a new one if it wasn't there. */
  int number(String text) {
    int slot = slot(text);
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    if (size == symbols.length) {
      grow();
      slot = slot(text);
    }
    symbols[size] = text;
    slots[slot] = ++size;
    return size - 1;
  }

  /** Where a text is, or would be put. */
  private int slot(String text) {
    int hash = text.hashCode() * 0x9e3779b9;
    int slot = (hash ^ (hash >>> 16)) & (slots.length - 1);
    while (slots[slot] != 0 && !symbols[slots[slot] - 1].equals(text)) {
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  private void grow() {
    symbols = Arrays.copyOf(symbols, 2 * symbols.length);
    slots = new int[2 * slots.length];
    for (int i = 0; i < size; i++) {
      slots[slot(symbols[i])] = i + 1;
    }
  }

  /** All texts in the order of their bytes. */
  String[] sorted() {
    String[] sorted = Arrays.copyOf(symbols, size);
    Arrays.sort(sorted, Utf8Order.INSTANCE);
    return sorted;
  }

  /** The place of each number in that order. */
  int[] places(String[] sorted) {
    int[] places = new int[size];
    for (int i = 0; i < sorted.length; i++) {
      places[number(sorted[i])] = i;
    }
    return places;
  }
}
