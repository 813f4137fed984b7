package org.inferometer.query;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.model.Labels;

/**
 * Which rows belong together.
 *
 * @param labels of each group, in the order of its first row
 * @param groupByRow the group's index for each row
 * @param rowsByGroup the rows' indexes for each group, ascending
 */
record Grouping(List<Labels> labels, int[] groupByRow, List<int[]> rowsByGroup) {

  /** Tells the group of a label set. */
  @FunctionalInterface
  interface Key {
    Labels of(Labels labels);
  }

  /** The key of {@code by (names)} or {@code without (names)}. */
  static Key key(List<String> names, boolean without) {
    Set<String> set = new HashSet<>(names);
    if (without) {
      set.add(Labels.NAME);
      return labels -> labels.without(set);
    }
    return set.isEmpty() ? labels -> Labels.EMPTY : labels -> labels.only(set);
  }

  static Grouping of(List<Row> rows, Key key) {
    Map<Labels, Integer> indexes = new HashMap<>();
    List<Labels> labels = new ArrayList<>();
    int[] groupByRow = new int[rows.size()];
    for (int i = 0; i < groupByRow.length; i++) {
      Labels group = key.of(rows.get(i).labels());
      Integer index = indexes.putIfAbsent(group, labels.size());
      if (index == null) {
        groupByRow[i] = labels.size();
        labels.add(group);
      } else {
        groupByRow[i] = index;
      }
    }
    return new Grouping(labels, groupByRow, rowsByGroup(groupByRow, labels.size()));
  }

  private static List<int[]> rowsByGroup(int[] groupByRow, int groups) {
    int[] sizes = new int[groups];
    for (int group : groupByRow) {
      sizes[group]++;
    }
    List<int[]> rows = new ArrayList<>(groups);
    for (int size : sizes) {
      rows.add(new int[size]);
    }
    int[] filled = new int[groups];
    for (int i = 0; i < groupByRow.length; i++) {
      int group = groupByRow[i];
      rows.get(group)[filled[group]++] = i;
    }
    return rows;
  }

  int count() {
    return labels.size();
  }
}
