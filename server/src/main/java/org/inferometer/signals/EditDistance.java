package org.inferometer.signals;

import java.util.Arrays;

/**
 * How many characters have to be changed, added or removed to make one word from another
 * (Levenshtein 1965).
 */
public final class EditDistance {
  private EditDistance() {}

  /**
   * @param max what is worth knowing
   * @return the distance, or {@code max + 1} if it is greater
   */
  public static int of(String a, String b, int max) {
    if (Math.abs(a.length() - b.length()) > max) {
      return max + 1;
    }
    int[] above = new int[b.length() + 1];
    Arrays.setAll(above, i -> i);
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      int least = i;
      for (int j = 1; j <= b.length(); j++) {
        int change = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, Math.min(above[j], row[j - 1]) + 1);
        least = Math.min(least, row[j]);
      }
      if (least > max) {
        return max + 1;
      }
      above = row;
    }
    return Math.min(above[b.length()], max + 1);
  }
}
