package org.inferometer.promql;

/**
 * A length of time in brackets or after {@code offset}: a literal, or arithmetic over literals,
 * {@code step()} and {@code range()} of the query.
 */
public sealed interface DurationExpr {
  /**
   * In milliseconds, for a query with this step and this range (end - start).
   *
   * @throws ArithmeticException on a division by zero or a result out of range; the message is
   *     meant for the user
   */
  long resolveMs(long stepMs, long rangeMs);

  /** Whether it depends on the query's step or range. */
  boolean dependsOnQuery();

  /** A single literal, which may be negative after {@code offset}. */
  record Fixed(long durationMs) implements DurationExpr {
    @Override
    public long resolveMs(long stepMs, long rangeMs) {
      return durationMs;
    }

    @Override
    public boolean dependsOnQuery() {
      return false;
    }
  }

  /** Anything that isn't a single literal. */
  record Computed(Term term, Span span) implements DurationExpr {
    /** What a count of nanoseconds in 64 bits can hold, as in Prometheus. */
    private static final double MAX_SECONDS = Long.MAX_VALUE / 1e9;

    @Override
    public long resolveMs(long stepMs, long rangeMs) {
      double seconds = term.seconds(stepMs / 1000.0, rangeMs / 1000.0);
      if (!(Math.abs(seconds) <= MAX_SECONDS)) {
        throw new ArithmeticException(
            span.start() + ":" + span.end() + ": duration is out of range");
      }
      return Math.round(seconds * 1000);
    }

    @Override
    public boolean dependsOnQuery() {
      return dependsOnQuery(term);
    }

    private static boolean dependsOnQuery(Term term) {
      return switch (term) {
        case Literal literal -> false;
        case Step step -> true;
        case QueryRange range -> true;
        case Negation negation -> dependsOnQuery(negation.operand());
        case Group group -> dependsOnQuery(group.inner());
        case Extreme extreme -> dependsOnQuery(extreme.left()) || dependsOnQuery(extreme.right());
        case Arithmetic sum -> dependsOnQuery(sum.left()) || dependsOnQuery(sum.right());
      };
    }
  }

  /** A node of the arithmetic; counts in seconds. */
  sealed interface Term {
    double seconds(double stepSeconds, double rangeSeconds);
  }

  record Literal(double value, boolean writtenAsDuration) implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      return value;
    }
  }

  /** {@code step()}: of a range query, 0 in an instant query. */
  record Step() implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      return stepSeconds;
    }
  }

  /** {@code range()}: from start to end of a range query, 0 in an instant query. */
  record QueryRange() implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      return rangeSeconds;
    }
  }

  record Negation(Term operand) implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      return -operand.seconds(stepSeconds, rangeSeconds);
    }
  }

  /** Parentheses. */
  record Group(Term inner) implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      return inner.seconds(stepSeconds, rangeSeconds);
    }
  }

  /** {@code min_of(left, right)} or {@code max_of(left, right)}. */
  record Extreme(boolean larger, Term left, Term right) implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      double a = left.seconds(stepSeconds, rangeSeconds);
      double b = right.seconds(stepSeconds, rangeSeconds);
      return larger ? Math.max(a, b) : Math.min(a, b);
    }
  }

  /**
   * @param op one of {@code + - * / % ^}
   */
  record Arithmetic(BinaryOp op, Term left, Term right, Span span) implements Term {
    @Override
    public double seconds(double stepSeconds, double rangeSeconds) {
      double a = left.seconds(stepSeconds, rangeSeconds);
      double b = right.seconds(stepSeconds, rangeSeconds);
      return switch (op) {
        case ADD -> a + b;
        case SUBTRACT -> a - b;
        case MULTIPLY -> a * b;
        case DIVIDE -> a / divisor(b, "division by zero");
        case MODULO -> a % divisor(b, "modulo by zero");
        case POWER -> Math.pow(a, b);
        default -> throw new IllegalStateException("no arithmetic on durations: " + op.symbol());
      };
    }

    private double divisor(double value, String problem) {
      if (value == 0) {
        throw new ArithmeticException(span.start() + ":" + span.end() + ": " + problem);
      }
      return value;
    }
  }
}
