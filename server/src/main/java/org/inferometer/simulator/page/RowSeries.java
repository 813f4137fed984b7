package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.inferometer.simulator.measure.Quantity;
import org.inferometer.simulator.measure.Quantity.Kind;
import org.jspecify.annotations.Nullable;

/** The series of one row of a family about one subject: one, or one for each label. */
final class RowSeries {
  private final Family family;
  private final Family.Row row;
  private final Group group;
  private final SeriesMaker maker;
  private final @Nullable Quantity labelled;
  private final Map<String, Series> series = new LinkedHashMap<>();

  /** Of a labelled quantity: what each set of labels is made of. */
  private final Map<String, List<String>> keys = new HashMap<>();

  private final Set<String> seen = new HashSet<>();

  /** Of joined labels: when each set was last the one. */
  private final Map<String, long[]> times = new HashMap<>();

  private final @Nullable Quantity joined;

  RowSeries(Family family, Family.Row row, Group group, SeriesMaker maker) {
    this.family = family;
    this.row = row;
    this.group = group;
    this.maker = maker;
    this.labelled =
        !family.label().isEmpty() && row.value() instanceof Value.Measured measured
            ? measured.quantity()
            : null;
    this.joined = joined();
    if (labelled == null && joined == null) {
      series.put("", maker.series(row, group, labels(""), null, group.startNs()));
    }
    for (String seed : seeds()) {
      add(seed, group.startNs());
    }
  }

  private @Nullable Quantity joined() {
    for (String value : row.labels().values()) {
      if (value.startsWith(PageFile.JOIN)) {
        return group.kind.find(value.substring(PageFile.JOIN.length()));
      }
    }
    return null;
  }

  private List<String> seeds() {
    String fact = family.seed().fact();
    if (fact == null) {
      return family.seed().values();
    }
    List<String> seeds = new ArrayList<>();
    for (int i = 0; i < (int) Sources.fact(group, fact); i++) {
      seeds.add(Integer.toString(i));
    }
    return seeds;
  }

  /** A label's value gets a series, or is added to one that isn't told apart from it. */
  private void add(String key, long sinceNs) {
    seen.add(key);
    Map<String, String> labels = labels(key);
    String text = maker.labelText(labels);
    List<String> ofSeries = keys.get(text);
    if (ofSeries != null) {
      ofSeries.add(key);
      return;
    }
    List<String> list = new ArrayList<>(List.of(key));
    keys.put(text, list);
    series.put(text, maker.series(row, group, labels, list, sinceNs));
  }

  /** The labels of the subject, of the row, and those that a quantity's label stands for. */
  private Map<String, String> labels(String key) {
    Map<String, String> labels = new HashMap<>(group.labels);
    row.labels().forEach((name, value) -> labels.put(name, resolve(value)));
    List<String> names = family.label();
    String[] parts = names.isEmpty() ? new String[0] : key.split("\n", names.size());
    for (int i = 0; i < names.size(); i++) {
      String part = i < parts.length ? parts[i] : "";
      // A label without a value is none.
      if (!names.get(i).equals(PageFile.NOT_TOLD_APART) && !part.isEmpty()) {
        labels.put(names.get(i), family.words().getOrDefault(part, part));
      }
    }
    return labels;
  }

  private String resolve(String value) {
    if (value.startsWith(PageFile.JOIN)) {
      Quantity quantity = group.kind.find(value.substring(PageFile.JOIN.length()));
      return quantity == null ? "" : String.join(",", group.labels(quantity));
    }
    if (!value.startsWith("$")) {
      return value;
    }
    String fact = group.fact(value.substring(1));
    if (fact == null) {
      throw new IllegalArgumentException(
          family.place() + ": expected a fact " + value + " of " + group.labels);
    }
    return fact;
  }

  void write(Bytes out, long nowNs) {
    if (labelled != null) {
      update(labelled, nowNs);
    } else if (joined != null) {
      updateJoined(nowNs);
    }
    for (Series one : series.values()) {
      if (!family.isLazy() || one.hasMoved(nowNs)) {
        one.write(out, nowNs);
      }
    }
  }

  /** New labels get series; a gauge's that are gone lose theirs. */
  private void update(Quantity quantity, long nowNs) {
    Set<String> now = group.labels(quantity);
    if (quantity.kind() == Kind.GAUGES && !family.isRemembered()) {
      for (String gone : seen.stream().filter(key -> isGone(key, now)).toList()) {
        remove(gone);
      }
    }
    for (String key : now) {
      if (!seen.contains(key)) {
        add(key, nowNs);
      }
    }
  }

  private boolean isGone(String key, Set<String> now) {
    return !now.contains(key) && !family.seed().values().contains(key);
  }

  private void remove(String key) {
    seen.remove(key);
    String text = maker.labelText(labels(key));
    List<String> ofSeries = keys.get(text);
    if (ofSeries != null) {
      ofSeries.remove(key);
      if (ofSeries.isEmpty()) {
        keys.remove(text);
        series.remove(text);
      }
    }
  }

  /** The set of labels as it is now gets the time; earlier ones keep theirs. */
  private void updateJoined(long nowNs) {
    Map<String, String> labels = labels("");
    String key = maker.labelText(labels);
    if (!family.isRemembered()) {
      series.keySet().removeIf(one -> !one.equals(key));
    }
    if (!series.containsKey(key)) {
      long[] time = new long[1];
      times.put(key, time);
      series.put(key, maker.remembered(row, group, labels, time));
    }
    times.getOrDefault(key, new long[1])[0] = nowNs;
  }
}
