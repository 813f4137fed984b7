package org.inferometer.config;

import java.util.Collection;
import java.util.Optional;

/** Finds the word that someone may have meant. */
final class NearMiss {
  /** Longer words aren't typing errors, and the work is their product. */
  private static final int LENGTH_MAX = 60;

  private NearMiss() {}

  /** The nearest of the known words, if at most a third of the letters differ. */
  static Optional<String> of(String word, Collection<String> known) {
    if (word.length() > LENGTH_MAX) {
      return Optional.empty();
    }
    String best = null;
    int bestDistance = Math.max(1, Math.min(3, word.length() / 3)) + 1;
    for (String candidate : known) {
      int distance = distance(word, candidate);
      if (distance < bestDistance) {
        bestDistance = distance;
        best = candidate;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Insertions, deletions, replacements and swaps of neighbours from one word to the other. */
  static int distance(String a, String b) {
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        d[i][j] = i == 0 || j == 0 ? i + j : step(d, a, b, i, j);
      }
    }
    return d[a.length()][b.length()];
  }

  private static int step(int[][] d, String a, String b, int i, int j) {
    int cost = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
    int best = Math.min(d[i - 1][j - 1] + cost, 1 + Math.min(d[i - 1][j], d[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(best, d[i - 2][j - 2] + 1) : best;
  }
}
