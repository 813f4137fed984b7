package org.inferometer.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A label set: name-value pairs sorted by name, each name once, no empty value (an empty value is
 * the same as no label). The metric name is the label {@value #NAME}. Immutable.
 *
 * <p>Order is that of Prometheus: names and values compared byte by byte as UTF-8, pair by pair, a
 * set that is a prefix of another first.
 */
public final class Labels implements Comparable<Labels> {
  /** The label that holds the metric name. */
  public static final String NAME = "__name__";

  public static final Labels EMPTY = new Labels(new String[0]);

  /** Name, value, name, value, ... */
  private final String[] pairs;

  private int hash;

  private Labels(String[] pairs) {
    this.pairs = pairs;
  }

  /**
   * A label set of alternating names and values, in any order. Pairs with an empty value are left
   * out.
   *
   * @throws IllegalArgumentException if a name has no value or is given twice
   */
  public static Labels of(String... namesAndValues) {
    if (namesAndValues.length % 2 != 0) {
      throw new IllegalArgumentException("expected pairs, got " + namesAndValues.length + " words");
    }
    Builder builder = new Builder(namesAndValues.length / 2);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      builder.add(namesAndValues[i], namesAndValues[i + 1]);
    }
    return builder.build();
  }

  /**
   * The same of names and values that are in order already, which costs less. The array is the
   * set's from now on.
   */
  public static Labels ofOrdered(String[] namesAndValues) {
    for (int i = 0; i < namesAndValues.length; i += 2) {
      boolean isLater =
          i == 0 || Utf8Order.INSTANCE.compare(namesAndValues[i - 2], namesAndValues[i]) < 0;
      if (!isLater || namesAndValues[i + 1].isEmpty()) {
        return of(namesAndValues);
      }
    }
    return namesAndValues.length == 0 ? EMPTY : new Labels(namesAndValues);
  }

  public static Labels of(Map<String, String> map) {
    Builder builder = new Builder(map.size());
    map.forEach(builder::add);
    return builder.build();
  }

  public int size() {
    return pairs.length / 2;
  }

  public boolean isEmpty() {
    return pairs.length == 0;
  }

  public String name(int index) {
    return pairs[2 * index];
  }

  public String value(int index) {
    return pairs[2 * index + 1];
  }

  /** The value of a label, or "" if it isn't there. */
  public String get(String name) {
    int index = indexOf(name);
    return index < 0 ? "" : pairs[2 * index + 1];
  }

  public boolean has(String name) {
    return indexOf(name) >= 0;
  }

  /** The metric name, or "". */
  public String metricName() {
    return get(NAME);
  }

  private int indexOf(String name) {
    for (int i = 0; i < pairs.length; i += 2) {
      if (pairs[i].equals(name)) {
        return i / 2;
      }
    }
    return -1;
  }

  public void forEach(BiConsumer<? super String, ? super String> action) {
    for (int i = 0; i < pairs.length; i += 2) {
      action.accept(pairs[i], pairs[i + 1]);
    }
  }

  /** This set with one label set to a value; an empty value removes it. */
  public Labels with(String name, String value) {
    return toBuilder().set(name, value).build();
  }

  /** This set without the named labels. */
  public Labels without(Collection<String> names) {
    return filter(names, false);
  }

  /** This set without one label. */
  public Labels without(String name) {
    return indexOf(name) < 0 ? this : filter(List.of(name), false);
  }

  /** Only the named labels of this set. */
  public Labels only(Collection<String> names) {
    return filter(names, true);
  }

  private Labels filter(Collection<String> names, boolean keep) {
    String[] kept = new String[pairs.length];
    int n = 0;
    for (int i = 0; i < pairs.length; i += 2) {
      if (names.contains(pairs[i]) == keep) {
        kept[n++] = pairs[i];
        kept[n++] = pairs[i + 1];
      }
    }
    if (n == pairs.length) {
      return this;
    }
    return n == 0 ? EMPTY : new Labels(Arrays.copyOf(kept, n));
  }

  public Builder toBuilder() {
    Builder builder = new Builder(size() + 2);
    for (int i = 0; i < pairs.length; i += 2) {
      builder.add(pairs[i], pairs[i + 1]);
    }
    return builder;
  }

  /**
   * An equal label set made of shared strings.
   *
   * @param names the string to use for a name
   * @param values the string to use for a value, by the name (as given by {@code names}) and value
   */
  public Labels interned(UnaryOperator<String> names, BinaryOperator<String> values) {
    String[] shared = new String[pairs.length];
    for (int i = 0; i < pairs.length; i += 2) {
      shared[i] = names.apply(pairs[i]);
      shared[i + 1] = values.apply(shared[i], pairs[i + 1]);
    }
    Labels labels = new Labels(shared);
    labels.hash = hashCode();
    return labels;
  }

  public Map<String, String> toMap() {
    Map<String, String> map = new TreeMap<>(Utf8Order.INSTANCE);
    forEach(map::put);
    return map;
  }

  @Override
  public int compareTo(Labels other) {
    int n = Math.min(pairs.length, other.pairs.length);
    for (int i = 0; i < n; i++) {
      int order = Utf8Order.INSTANCE.compare(pairs[i], other.pairs[i]);
      if (order != 0) {
        return order;
      }
    }
    return Integer.compare(pairs.length, other.pairs.length);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Labels labels && Arrays.equals(pairs, labels.pairs);
  }

  @Override
  public int hashCode() {
    int h = hash;
    if (h == 0) {
      h = Arrays.hashCode(pairs);
      hash = h;
    }
    return h;
  }

  /** As Prometheus prints it: {@code name{label="value", ...}}. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    String metric = metricName();
    boolean plain = Names.isLegacyMetricName(metric);
    if (plain) {
      text.append(metric);
      if (size() == 1) {
        return text.toString();
      }
    }
    appendPairs(text, plain);
    return text.toString();
  }

  /** As Prometheus's messages about a label set print it: the name is a label like others. */
  public String inBraces() {
    StringBuilder text = new StringBuilder();
    appendPairs(text, false);
    return text.toString();
  }

  private void appendPairs(StringBuilder text, boolean withoutName) {
    text.append('{');
    String separator = "";
    for (int i = 0; i < pairs.length; i += 2) {
      if (withoutName && pairs[i].equals(NAME)) {
        continue;
      }
      text.append(separator);
      if (Names.isLegacyLabelName(pairs[i])) {
        text.append(pairs[i]);
      } else {
        Names.quote(pairs[i], text);
      }
      text.append('=');
      Names.quote(pairs[i + 1], text);
      separator = ", ";
    }
    text.append('}');
  }

  /** Collects pairs in any order. Not thread-safe. */
  public static final class Builder {
    private final List<String> names;
    private final List<String> values;

    public Builder() {
      this(8);
    }

    Builder(int capacity) {
      names = new ArrayList<>(capacity);
      values = new ArrayList<>(capacity);
    }

    /** Adds a pair whose name isn't there yet; checked in {@link #build}. */
    public Builder add(String name, String value) {
      names.add(name);
      values.add(value);
      return this;
    }

    /** Sets a label, replacing a value that it has; an empty value removes it. */
    public Builder set(String name, String value) {
      int index = names.indexOf(name);
      if (index >= 0) {
        values.set(index, value);
      } else if (!value.isEmpty()) {
        add(name, value);
      }
      return this;
    }

    public Builder remove(String name) {
      return set(name, "");
    }

    public String get(String name) {
      int index = names.indexOf(name);
      return index < 0 ? "" : values.get(index);
    }

    /** The names of labels that aren't empty, in the order they were added. */
    public List<String> names() {
      List<String> present = new ArrayList<>(names.size());
      for (int i = 0; i < names.size(); i++) {
        if (!values.get(i).isEmpty()) {
          present.add(names.get(i));
        }
      }
      return present;
    }

    /**
     * @throws IllegalArgumentException if a name was added twice
     */
    public Labels build() {
      int n = names.size();
      Integer[] order = new Integer[n];
      for (int i = 0; i < n; i++) {
        order[i] = i;
      }
      Arrays.sort(order, (a, b) -> Utf8Order.INSTANCE.compare(names.get(a), names.get(b)));
      String[] pairs = new String[2 * n];
      int length = 0;
      for (int i = 0; i < n; i++) {
        String name = names.get(order[i]);
        if (i > 0 && name.equals(names.get(order[i - 1]))) {
          throw new IllegalArgumentException("label name \"" + name + "\" is not unique");
        }
        if (!values.get(order[i]).isEmpty()) {
          pairs[length++] = name;
          pairs[length++] = values.get(order[i]);
        }
      }
      return length == 0 ? EMPTY : new Labels(Arrays.copyOf(pairs, length));
    }
  }
}
