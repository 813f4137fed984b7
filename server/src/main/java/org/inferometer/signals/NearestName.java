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
      if (Math.abs(candidate.length() - name.length()) < bestDistance) {
        int distance = distance(name, candidate);
        if (distance < bestDistance) {
          best = candidate;
          bestDistance = distance;
        }
      }
    }
    return best;
  }

  /** How many characters have to be put in, left out or changed (Levenshtein 1965). */
  static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[b.length()];
  }
}
