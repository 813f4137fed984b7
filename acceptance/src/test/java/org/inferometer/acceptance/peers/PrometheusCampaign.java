package org.inferometer.acceptance.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import org.inferometer.model.Labels;
import org.inferometer.query.differential.Judge;
import org.inferometer.query.differential.Outcome;
import org.inferometer.query.differential.Product;
import org.inferometer.query.differential.Question;
import org.inferometer.query.differential.RandomQueries;
import org.inferometer.query.differential.RandomSeries;
import org.inferometer.query.differential.Shrinker;
import org.inferometer.query.differential.Tally;
import org.jspecify.annotations.Nullable;

/** Random questions of one seed, to Debian's Prometheus and to our evaluator. */
final class PrometheusCampaign {
  private static final long START_MS = 1_700_000_000_000L / 60_000 * 60_000;

  private final long seed;
  private final Map<Labels, SortedMap<Long, Double>> data;
  private final RandomQueries queries;
  private final Product ours;
  private final Judge judge;
  private final Tally tally = new Tally();

  PrometheusCampaign(long seed) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    data = new RandomSeries(random, START_MS, true).make();
    queries = new RandomQueries(random, START_MS, true);
    ours = new Product(data);
    judge = new Judge(data);
  }

  Map<Labels, SortedMap<Long, Double>> data() {
    return data;
  }

  /** The differences found, but for those by design. */
  List<String> run(PrometheusPeer theirs, int count) throws Exception {
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Question question = queries.next();
      Outcome expected = theirs.answer(question);
      String difference = difference(question, expected);
      if (difference == null) {
        tally.same(expected);
      } else if (!judge.judge(modern(question)).certain()) {
        tally.undecidable();
      } else {
        differ(theirs, question, i, differences);
      }
    }
    return differences;
  }

  private void differ(
      PrometheusPeer theirs, Question question, int number, List<String> differences)
      throws Exception {
    Question small = Shrinker.shrink(question, q -> differs(theirs, q));
    String difference = String.valueOf(difference(small, theirs.answer(small)));
    if (DesignDifference.explains(small.query(), difference)) {
      tally.byDesign();
    } else {
      differences.add(
          "seed %d, question %d: %s%n  smallest: %s%n  %s"
              .formatted(seed, number, question, small, difference));
    }
  }

  private boolean differs(PrometheusPeer theirs, Question question) {
    try {
      return difference(question, theirs.answer(question)) != null
          && judge.judge(modern(question)).certain();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable String difference(Question question, Outcome expected) {
    return Outcome.difference(expected, ours.answer(modern(question)), Outcome.TOLERANCE);
  }

  private static Question modern(Question question) {
    return question.withQuery(
        question.query().replace("holt_winters(", "double_exponential_smoothing("));
  }

  Tally tally() {
    return tally;
  }
}
