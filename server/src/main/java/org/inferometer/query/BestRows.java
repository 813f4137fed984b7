package org.inferometer.query;

import java.util.List;

/**
 * Finds the k rows with the largest or smallest values at a step: a heap with the worst chosen row
 * on top. NaN is worse than any number; of equal values the earlier row is better.
 */
final class BestRows {
  private final List<Row> rows;
  private final boolean largest;
  private int[] heap = {};
  private int size;
  private int step;

  BestRows(List<Row> rows, boolean largest) {
    this.rows = rows;
    this.largest = largest;
  }

  /** The indexes of the best of the members, best first. */
  int[] choose(int[] members, int atStep, int k) {
    step = atStep;
    size = 0;
    int room = Math.min(k, members.length);
    if (heap.length < room) {
      heap = new int[room];
    }
    for (int row : members) {
      if (rows.get(row).isPresent(step)) {
        offer(row, room);
      }
    }
    return drained();
  }

  private void offer(int row, int room) {
    if (size < room) {
      heap[size] = row;
      siftUp(size++);
    } else if (room > 0 && isWorse(heap[0], row)) {
      heap[0] = row;
      siftDown();
    }
  }

  private int[] drained() {
    int[] order = new int[size];
    while (size > 0) {
      order[size - 1] = heap[0];
      heap[0] = heap[--size];
      siftDown();
    }
    return order;
  }

  private boolean isWorse(int a, int b) {
    double x = rows.get(a).value(step);
    double y = rows.get(b).value(step);
    if (x == y || (Double.isNaN(x) && Double.isNaN(y))) {
      return a > b;
    }
    if (Double.isNaN(x) || Double.isNaN(y)) {
      return Double.isNaN(x);
    }
    return largest ? x < y : x > y;
  }

  private void siftUp(int start) {
    int child = start;
    while (child > 0) {
      int parent = (child - 1) / 2;
      if (!isWorse(heap[child], heap[parent])) {
        return;
      }
      swap(child, parent);
      child = parent;
    }
  }

  private void siftDown() {
    int parent = 0;
    while (true) {
      int child = 2 * parent + 1;
      if (child >= size) {
        return;
      }
      if (child + 1 < size && isWorse(heap[child + 1], heap[child])) {
        child++;
      }
      if (!isWorse(heap[child], heap[parent])) {
        return;
      }
      swap(child, parent);
      parent = child;
    }
  }

  private void swap(int a, int b) {
    int held = heap[a];
    heap[a] = heap[b];
    heap[b] = held;
  }
}
