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
