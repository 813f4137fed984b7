package org.inferometer.model;

import com.google.re2j.PatternSyntaxException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
  private final ValueTest test;
  private final boolean matchesEmpty;

  /** As text, once that was asked for: a service's targets are named in hundreds of queries. */
  private @Nullable String text;

  /**
   * @throws PatternSyntaxException if the value of a regex matcher isn't RE2, or is too large (see
   *     {@link Regex})
   */
  public Matcher(Type type, String name, String value) {
    this.type = type;
    this.name = name;
    this.value = value;
    this.test =
        switch (type) {
          case EQUAL, NOT_EQUAL -> new ValueTest.AnyOf(Set.of(value));
          case REGEX, NOT_REGEX -> ValueTest.of(value);
        };
    this.matchesEmpty = matches("");
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
      case REGEX -> test.matches(candidate);
      case NOT_REGEX -> !test.matches(candidate);
    };
  }

  public boolean matches(Labels labels) {
    return matches(labels.get(name));
  }

  /** Whether a series without the label passes. */
  public boolean matchesEmpty() {
    return matchesEmpty;
  }

  /** Whether it passes what its value describes: {@code =} and {@code =~}. */
  public boolean isPositive() {
    return type == Type.EQUAL || type == Type.REGEX;
  }

  /**
   * The few values that its value describes, as of {@code a|b}: those that a positive matcher
   * passes, and a negative one doesn't. Null if they can't be listed.
   */
  public @Nullable Set<String> literals() {
    return test instanceof ValueTest.AnyOf anyOf ? anyOf.literals() : null;
  }

  @Override
  public boolean equals(@Nullable Object other) {
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
    String known = text;
    if (known == null) {
      known =
          (Names.isLegacyLabelName(name) ? name : Names.quote(name))
              + type.symbol()
              + Names.quote(value);
      text = known;
    }
    return known;
  }
}
