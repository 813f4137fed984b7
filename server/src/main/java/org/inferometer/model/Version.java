package org.inferometer.model;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A release number such as 0.10.2; a shorter one stands for all releases that begin with it. */
public record Version(List<Integer> parts) implements Comparable<Version> {
  private static final Pattern FORM = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6}){0,3}");

  public Version {
    parts = List.copyOf(parts);
  }

  public static boolean isVersion(String text) {
    return FORM.matcher(text).matches();
  }

  public static Version parse(String text) {
    List<Integer> parts = new ArrayList<>();
    for (String part : text.split("\\.", -1)) {
      parts.add(Integer.valueOf(part));
    }
    return new Version(parts);
  }

  /** Whether every release of this number comes after those of the other. */
  public boolean isAfter(Version other) {
    int n = Math.min(parts.size(), other.parts.size());
    for (int i = 0; i < n; i++) {
      int order = parts.get(i).compareTo(other.parts.get(i));
      if (order != 0) {
        return order > 0;
      }
    }
    return false;
  }

  /** By the first release that each number stands for. */
  @Override
  public int compareTo(Version other) {
    int n = Math.max(parts.size(), other.parts.size());
    for (int i = 0; i < n; i++) {
      int order = Integer.compare(part(i), other.part(i));
      if (order != 0) {
        return order;
      }
    }
    return 0;
  }

  private int part(int index) {
    return index < parts.size() ? parts.get(index) : 0;
  }

  @Override
  public String toString() {
    return String.join(".", parts.stream().map(String::valueOf).toList());
  }
}
