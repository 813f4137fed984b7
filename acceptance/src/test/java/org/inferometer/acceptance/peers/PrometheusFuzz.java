package org.inferometer.acceptance.peers;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.query.differential.Tally;

/**
 * Asks random questions of Prometheus and of our evaluator until a number of them is reached:
 * {@code PrometheusFuzz COUNT SEED FOLDER}. Ends with 1 if there were differences.
 */
public final class PrometheusFuzz {
  private static final int QUESTIONS_PER_SEED = 500;

  private PrometheusFuzz() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(
        run(
            Integer.parseInt(arguments[0]),
            Long.parseLong(arguments[1]),
            Path.of(arguments[2]),
            System.out));
  }

  private static int run(int count, long firstSeed, Path folder, PrintStream out) throws Exception {
    int found = 0;
    Tally tally = new Tally();
    Files.createDirectories(folder);
    for (int done = 0; done < count; done += QUESTIONS_PER_SEED) {
      PrometheusCampaign campaign = new PrometheusCampaign(firstSeed + done / QUESTIONS_PER_SEED);
      Path place = Files.createTempDirectory(folder, "prometheus");
      try (Program prometheus = PrometheusBlocks.start(place, campaign.data())) {
        List<String> differences =
            campaign.run(
                new PrometheusPeer(prometheus), Math.min(QUESTIONS_PER_SEED, count - done));
        differences.forEach(out::println);
        found += differences.size();
      }
      tally.add(campaign.tally());
    }
    out.printf("%d questions from seed %d: %s%n", count, firstSeed, tally);
    out.printf("%d differences%n", found);
    return found == 0 ? 0 : 1;
  }
}
