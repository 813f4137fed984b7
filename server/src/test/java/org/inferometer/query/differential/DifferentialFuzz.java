package org.inferometer.query.differential;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.query.QueryException;

/**
 * Asks random questions until a number of them is reached: {@code DifferentialFuzz COUNT SEED}.
 * Ends with 1 if there were differences.
 */
public final class DifferentialFuzz {
  private static final int QUESTIONS_PER_SEED = 200;

  private DifferentialFuzz() {}

  public static void main(String[] arguments) {
    System.exit(run(Integer.parseInt(arguments[0]), Long.parseLong(arguments[1]), System.out));
  }

  private static int run(int count, long firstSeed, PrintStream out) {
    int found = 0;
    Tally tally = new Tally();
    for (int done = 0; done < count; done += QUESTIONS_PER_SEED) {
      long seed = firstSeed + done / QUESTIONS_PER_SEED;
      int share = Math.min(QUESTIONS_PER_SEED, count - done);
      Campaign campaign = new Campaign(seed);
      List<String> differences = campaign.run(share);
      differences.forEach(out::println);
      found += differences.size() + properties(seed, share, out);
      tally.add(campaign.tally());
    }
    out.printf("%d questions from seed %d: %s%n", count, firstSeed, tally);
    out.printf("%d differences%n", found);
    return found == 0 ? 0 : 1;
  }

  /** A quarter as many, over histograms too. */
  private static int properties(long seed, int share, PrintStream out) {
    Properties properties = new Properties(seed);
    List<String> differences = new ArrayList<>(properties.rangeIsManyInstants(share / 4));
    differences.addAll(properties.pinnedIsTheSameAtAnyTime(share / 4));
    try {
      differences.addAll(properties.orderDoesNotMatterToASum());
    } catch (QueryException e) {
      differences.add("seed " + seed + ": a sum fails: " + e.getMessage());
    }
    differences.forEach(out::println);
    return differences.size();
  }
}
