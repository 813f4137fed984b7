package org.inferometer.model;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

/**
 * A predicate on one label. A label that isn't there counts as the empty value. Regular expressions
 * are RE2's, anchored at both ends, and a dot matches a newline. Thread-safe.
 */
public final class Matcher {
  /** How the label's value is compared. */
  public enum Type {
    EQUAL("="),
    NOT_EQUAL("!="),
    REGEX("=~"),
    NOT_REGEX("!~");

    private final String symbol;

    Type(String symbol) {
      this.symbol = symbol;
    }

    public String symbol() {
      return symbol;
    }
  }

  private final Type type;
  private final String name;
  private final String value;
  private final Pattern pattern;

  /**
   * @throws PatternSyntaxException if the value of a regex matcher isn't RE2
   */
  public Matcher(Type type, String name, String value) {
    this.type = type;
    this.name = name;
    this.value = value;
    this.pattern =
        type == Type.REGEX || type == Type.NOT_REGEX
            ? Pattern.compile("^(?s:" + value + ")$")
            : Pattern.compile("");
  }

  public static Matcher equal(String name, String value) {
    return new Matcher(Type.EQUAL, name, value);
  }

  public Type type() {
    return type;
  }

  public String name() {
    return name;
  }

  public String value() {
    return value;
  }

  public boolean matches(String candidate) {
    return switch (type) {
      case EQUAL -> value.equals(candidate);
      case NOT_EQUAL -> !value.equals(candidate);
      case REGEX -> pattern.matches(candidate);
      case NOT_REGEX -> !pattern.matches(candidate);
    };
  }

  public boolean matches(Labels labels) {
    return matches(labels.get(name));
  }

  /** Whether a series without the label passes. */
  public boolean matchesEmpty() {
    return matches("");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Matcher matcher
        && type == matcher.type
        && name.equals(matcher.name)
        && value.equals(matcher.value);
  }

  @Override
  public int hashCode() {
    return (type.hashCode() * 31 + name.hashCode()) * 31 + value.hashCode();
  }

  @Override
  public String toString() {
    return (Names.isLegacyLabelName(name) ? name : Names.quote(name))
        + type.symbol()
        + Names.quote(value);
  }
}
