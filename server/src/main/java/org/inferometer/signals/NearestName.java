package org.inferometer.signals;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** Finds the known name that a mistyped one most likely meant. */
final class NearestName {
  /** A name of which more than this share has to be changed is another name. */
  private static final double SHARE_MAX = 0.34;

  private NearestName() {}

  /** An end for a message: ", did you mean \"running\"?", or "" if nothing is near. */
  static String hint(String name, Collection<String> known) {
    String nearest = of(name, known);
    return nearest == null ? "" : ", did you mean \"" + nearest + "\"?";
  }

  /** The nearest known name, the first of those that are equal; null if none is near. */
  static @Nullable String of(String name, Collection<String> known) {
    String best = null;
    int bestDistance = (int) Math.ceil(name.length() * SHARE_MAX) + 1;
    for (String candidate : known) {
      int distance = EditDistance.of(name, candidate, bestDistance - 1);
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return best;
  }
}
