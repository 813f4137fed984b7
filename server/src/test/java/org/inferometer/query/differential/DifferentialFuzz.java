package org.inferometer.query.differential;

import java.io.PrintStream;
import java.util.List;

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
    for (int done = 0; done < count; done += QUESTIONS_PER_SEED) {
      Campaign campaign = new Campaign(firstSeed + done / QUESTIONS_PER_SEED);
      List<String> differences = campaign.run(Math.min(QUESTIONS_PER_SEED, count - done));
      differences.forEach(out::println);
      found += differences.size();
      if (done % 2_000 == 0) {
        out.printf(
            "seed %d: %s%n", firstSeed + done / QUESTIONS_PER_SEED, campaign.counts());
      }
    }
    out.printf("%d questions from seed %d: %d differences%n", count, firstSeed, found);
    return found == 0 ? 0 : 1;
  }
}
