package org.inferometer.query.differential;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/** Many questions of one seed, to the product and to the second evaluator. */
final class Campaign {
  private final long seed;
  private final Map<Labels, SortedMap<Long, Double>> data;
  private final RandomQueries queries;
  private final Tally tally = new Tally();

  Campaign(long seed) {
    this.seed = seed;
    SplittableRandom random = new SplittableRandom(seed);
    this.data = new RandomSeries(random, 0, false).make();
    this.queries = new RandomQueries(random, 0, false);
  }

  /** The differences found, each with what it takes to see it. */
  List<String> run(int count) {
    List<String> differences = new ArrayList<>();
    Product product = new Product(data);
    Judge judge = new Judge(data);
    for (int i = 0; i < count; i++) {
      Question question = queries.next();
      Judge.Verdict verdict = judge.judge(question);
      if (!verdict.certain()) {
        tally.undecidable();
      } else if (Outcome.difference(verdict.outcome(), product.answer(question), Outcome.TOLERANCE)
          == null) {
        tally.same(verdict.outcome());
      } else {
        differences.add(smallest(question, i));
      }
    }
    return differences;
  }

  Tally tally() {
    return tally;
  }

  private static @Nullable String difference(
      Map<Labels, SortedMap<Long, Double>> data, Question question) {
    Judge.Verdict verdict = new Judge(data).judge(question);
    return verdict.certain()
        ? Outcome.difference(
            verdict.outcome(), new Product(data).answer(question), Outcome.TOLERANCE)
        : null;
  }

  private String smallest(Question question, int number) {
    Question small = Shrinker.shrink(question, q -> difference(data, q) != null);
    Map<Labels, SortedMap<Long, Double>> few = new TreeMap<>(data);
    for (Labels labels : data.keySet()) {
      Map<Labels, SortedMap<Long, Double>> fewer = new TreeMap<>(few);
      fewer.remove(labels);
      if (difference(fewer, small) != null) {
        few = fewer;
      }
    }
    return "seed %d, question %d: %s%n  smallest: %s%n  of series %s%n  %s"
        .formatted(seed, number, question, small, few.keySet(), difference(few, small));
  }
}
