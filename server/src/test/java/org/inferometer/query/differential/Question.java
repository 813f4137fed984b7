package org.inferometer.query.differential;

/**
 * A query and when it is evaluated.
 *
 * @param stepMs 0 for an instant query at {@code startMs}
 */
public record Question(String query, long startMs, long endMs, long stepMs, boolean delayedNames) {
  public boolean isInstant() {
    return stepMs == 0;
  }

  /** One more for a range, so that an instant is less than a range of one step. */
  long steps() {
    return isInstant() ? 1 : (endMs - startMs) / stepMs + 2;
  }

  public Question withQuery(String other) {
    return new Question(other, startMs, endMs, stepMs, delayedNames);
  }

  public Question at(long timeMs) {
    return new Question(query, timeMs, timeMs, 0, delayedNames);
  }

  @Override
  public String toString() {
    String names = delayedNames ? " with delayed names" : "";
    return isInstant()
        ? "%s at %d ms%s".formatted(query, startMs, names)
        : "%s from %d to %d step %d ms%s".formatted(query, startMs, endMs, stepMs, names);
  }
}
