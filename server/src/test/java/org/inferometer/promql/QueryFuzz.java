package org.inferometer.promql;

import java.util.Random;

/**
 * Makes texts that are nearly queries: pieces of the language in any order, and damaged queries.
 */
final class QueryFuzz {
  private static final String[] PIECES =
      ("( ) { } [ ] , : :: = == =~ != !~ < <= > >= </ >/ + - * / % ^ @ # \" ' ` \\ . ! & $ ; ~ | ?"
              + " and or unless atan2 sum avg topk by without on ignoring group_left group_right"
              + " bool offset anchored smoothed fill fill_left( fill_right( start end step range"
              + " min_of max_of start() step() foo job:x rate rate( abs( 5m 1h30m 5mm 0 1 1e 1e5 .5"
              + " 0x1f 0x 1_0 1__0 Inf NaN \"a\" 'b' `c` \"\\x\" \"\\xff\" \"\\u00e9\" é \uD83D\uDE00 \uD83D"
              + " [5m] [5m:1m] {a=\"b\"} {\"a.b\"} =~\"(\" =~\"a{1000}{1000}\" [step()*2] \n \t \0")
          .split(" ");

  private final Random random;

  QueryFuzz(long seed) {
    this.random = new Random(seed);
  }

  String pieces() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(30); i > 0; i--) {
      text.append(piece());
      if (random.nextBoolean()) {
        text.append(' ');
      }
    }
    return text.toString();
  }

  private String piece() {
    return PIECES[random.nextInt(PIECES.length)];
  }

  /** A query with a few cuts, doublings, swaps and insertions. */
  String damaged(String query) {
    StringBuilder text = new StringBuilder(query);
    for (int i = 1 + random.nextInt(4); i > 0 && !text.isEmpty(); i--) {
      int at = random.nextInt(text.length());
      int end = Math.min(text.length(), at + 1 + random.nextInt(8));
      switch (random.nextInt(4)) {
        case 0 -> text.delete(at, end);
        case 1 -> text.insert(at, text.substring(at, end));
        case 2 -> text.setCharAt(at, (char) random.nextInt(0x180));
        default -> text.insert(at, piece());
      }
    }
    return text.toString();
  }
}
