package org.inferometer.simulator.page;

import java.util.List;
import java.util.Map;
import org.inferometer.yaml.Place;
import org.jspecify.annotations.Nullable;

/**
 * A metric family as a page file describes it.
 *
 * @param name as it stands in TYPE; in OpenMetrics without the {@code _total} of counters
 * @param rows at least one: series, or sets of series, of each subject
 * @param label names for the parts of a labelled quantity's label, in their order; parts named
 *     {@code _} aren't told apart
 * @param subjectLabels those of the subject's labels that its series have; null for all
 * @param bounds the name of the bounds of a histogram; null if it has bounds of its own or none
 * @param ownBounds those of a histogram, without +Inf
 * @param scale what values are multiplied by
 * @param per a fact that they are divided by; what is left over is dropped
 * @param needs a fact without which a subject's series stay 0
 * @param words other words for some parts of a labelled quantity's label
 * @param never label values that are there, and stay 0
 * @param when only subjects with this fact have it
 * @param isCreatedShown whether it has the moment of its creation where the page shows them
 * @param isRemembered whether series stay for ever once they were there
 * @param isLazy whether series are there only once they have moved
 * @param numbers how gauges and sums are written; null: as the style does
 */
record Family(
    Place place,
    String name,
    Type type,
    String help,
    SubjectKind of,
    List<Row> rows,
    List<String> label,
    Map<String, String> words,
    Seed seed,
    @Nullable List<String> subjectLabels,
    @Nullable String bounds,
    List<Double> ownBounds,
    double scale,
    @Nullable String per,
    @Nullable String needs,
    List<String> never,
    Scope scope,
    @Nullable String when,
    boolean isCreatedShown,
    boolean isRemembered,
    boolean isLazy,
    @Nullable NumberText numbers) {

  enum Type {
    GAUGE,
    COUNTER,
    HISTOGRAM,
    SUMMARY,
    UNTYPED
  }

  /**
   * @param value of its series
   * @param count of a summary whose sum is {@code value}
   * @param labels beside the subject's; {@code $name} stands for a fact, {@code $join:quantity} for
   *     the labels of a quantity, joined by commas
   */
  record Row(Value value, @Nullable Value count, Map<String, String> labels) {}

  /**
   * Label values that are there from the start.
   *
   * @param fact the name of one that says how many there are, from 0; or null
   */
  record Seed(List<String> values, @Nullable String fact) {
    static final Seed NONE = new Seed(List.of(), null);

    public Seed {
      values = List.copyOf(values);
    }
  }
}
