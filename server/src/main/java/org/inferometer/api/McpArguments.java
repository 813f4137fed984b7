package org.inferometer.api;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The arguments of a tool's call; what isn't asked for until {@link #end} is refused. */
final class McpArguments {
  /** Longer than any expression that somebody reads. */
  private static final int TEXT_MAX = 20_000;

  private static final int LIST_MAX = 200;

  private final Map<String, Object> values;
  private final Set<String> known = new LinkedHashSet<>();

  McpArguments(Map<String, Object> values) {
    this.values = values;
  }

  private @Nullable Object find(String name) {
    known.add(name);
    Object value = values.get(name);
    return value instanceof JsonTree.Null ? null : value;
  }

  @Nullable String text(String name) throws ApiException {
    Object value = find(name);
    if (value == null) {
      return null;
    }
    if (!(value instanceof String text) || text.length() > TEXT_MAX) {
      throw expected(name, "text of at most " + TEXT_MAX + " characters");
    }
    return text;
  }

  String needText(String name) throws ApiException {
    String text = text(name);
    if (text == null || text.isEmpty()) {
      throw ApiException.badData("expected the argument \"" + name + "\"");
    }
    return text;
  }

  List<String> texts(String name) throws ApiException {
    Object value = find(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof List<?> list) || list.size() > LIST_MAX) {
      throw expected(name, "a list of at most " + LIST_MAX + " texts");
    }
    List<String> texts = new ArrayList<>();
    for (Object element : list) {
      if (!(element instanceof String text) || text.length() > TEXT_MAX) {
        throw expected(name, "a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  boolean bool(String name) throws ApiException {
    Object value = find(name);
    if (value != null && !(value instanceof Boolean)) {
      throw expected(name, "true or false");
    }
    return Boolean.TRUE.equals(value);
  }

  /** Texts and numbers as the parameters of a route, which are read in the same way. */
  Parameters parameters(String... names) throws ApiException {
    Parameters parameters = new Parameters();
    for (String name : names) {
      Object value = find(name);
      switch (value) {
        case null -> {}
        case BigDecimal number -> parameters.put(name, number.toPlainString());
        case String text when text.length() <= TEXT_MAX -> parameters.put(name, text);
        default -> throw expected(name, "a number or text");
      }
    }
    return parameters;
  }

  /** Refuses what nobody asked for. */
  void end() throws ApiException {
    for (String name : values.keySet()) {
      if (!known.contains(name)) {
        throw ApiException.badData(
            "unknown argument \""
                + RequestValues.shortened(name)
                + "\""
                + (known.isEmpty()
                    ? "; this tool takes none"
                    : ", expected " + String.join(", ", known)));
      }
    }
  }

  private static ApiException expected(String name, String what) {
    return ApiException.badData("expected " + what + " for \"" + name + "\"");
  }
}
