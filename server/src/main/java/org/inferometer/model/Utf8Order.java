package org.inferometer.model;

import java.util.Comparator;

/**
 * The order of two strings by their UTF-8 bytes, as Prometheus sorts labels. It differs from {@link
 * String#compareTo} only where surrogates meet code points above U+D7FF.
 */
public enum Utf8Order implements Comparator<String> {
  INSTANCE;

  @Override
  @SuppressWarnings("ReferenceEquality") // stored strings are shared: most equal ones are identical
  public int compare(String a, String b) {
    if (a == b) {
      return 0;
    }
    int n = Math.min(a.length(), b.length());
    for (int i = 0; i < n; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Character.isSurrogate(x) == Character.isSurrogate(y)
            ? Character.compare(x, y)
            : Character.isSurrogate(x) ? 1 : -1;
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
