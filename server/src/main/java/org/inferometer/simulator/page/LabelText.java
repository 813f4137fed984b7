package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the labels of series in the order of a style. */
final class LabelText {
  private final Style style;
  private final List<String> order;

  LabelText(Style style, List<String> order) {
    this.style = style;
    this.order = order;
  }

  /**
   * With braces; "" without labels.
   *
   * @param le the bound of a bucket, or null
   */
  String of(Map<String, String> labels, @Nullable String le) {
    StringBuilder text = new StringBuilder();
    for (Map.Entry<String, String> label : inOrder(labels, le).entrySet()) {
      text.append(text.isEmpty() ? '{' : ',');
      text.append(label.getKey()).append("=\"");
      escape(label.getValue(), text);
      text.append('"');
    }
    return text.isEmpty() ? "" : text.append('}').toString();
  }

  private Map<String, String> inOrder(Map<String, String> labels, @Nullable String le) {
    Map<String, String> all = new LinkedHashMap<>(labels);
    if (le != null && style == Style.PYTHON) {
      all.put("le", le);
    }
    List<String> names = new ArrayList<>(all.keySet());
    names.sort(this::compare);
    Map<String, String> sorted = new LinkedHashMap<>();
    if (le != null && style == Style.RUST) {
      sorted.put("le", le);
    }
    for (String name : names) {
      sorted.put(name, all.get(name));
    }
    if (le != null) {
      sorted.putIfAbsent("le", le);
    }
    return sorted;
  }

  /** Those that the page orders come first, in its order; others by name. */
  private int compare(String one, String other) {
    int a = style.sortsLabels() ? -1 : order.indexOf(one);
    int b = style.sortsLabels() ? -1 : order.indexOf(other);
    if (a == b) {
      return one.compareTo(other);
    }
    return Integer.compare(a < 0 ? Integer.MAX_VALUE : a, b < 0 ? Integer.MAX_VALUE : b);
  }

  private static void escape(String value, StringBuilder text) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }
}
