package org.inferometer.promql;

/** What an expression evaluates to, with the words that error messages use. */
public enum ValueType {
  SCALAR("scalar"),
  INSTANT_VECTOR("instant vector"),
  RANGE_VECTOR("range vector"),
  STRING("string");

  private final String documented;

  ValueType(String documented) {
    this.documented = documented;
  }

  public String documented() {
    return documented;
  }

  /** As in the HTTP API's {@code resultType}. */
  public String shortName() {
    return switch (this) {
      case SCALAR -> "scalar";
      case INSTANT_VECTOR -> "vector";
      case RANGE_VECTOR -> "matrix";
      case STRING -> "string";
    };
  }
}
