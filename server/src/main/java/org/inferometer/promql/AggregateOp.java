package org.inferometer.promql;

import org.jspecify.annotations.Nullable;

/** Aggregation operators. */
public enum AggregateOp {
  SUM(null, false),
  AVG(null, false),
  COUNT(null, false),
  MIN(null, false),
  MAX(null, false),
  GROUP(null, false),
  STDDEV(null, false),
  STDVAR(null, false),
  TOPK(ValueType.SCALAR, false),
  BOTTOMK(ValueType.SCALAR, false),
  COUNT_VALUES(ValueType.STRING, false),
  QUANTILE(ValueType.SCALAR, false),
  LIMITK(ValueType.SCALAR, true),
  LIMIT_RATIO(ValueType.SCALAR, true);

  private final @Nullable ValueType parameter;
  private final boolean experimental;

  AggregateOp(@Nullable ValueType parameter, boolean experimental) {
    this.parameter = parameter;
    this.experimental = experimental;
  }

  /** As written in a query. */
  public String keyword() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** The type of the parameter before the operand, or null if there is none. */
  public @Nullable ValueType parameter() {
    return parameter;
  }

  public boolean isExperimental() {
    return experimental;
  }
}
