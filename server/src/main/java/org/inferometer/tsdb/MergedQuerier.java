package org.inferometer.tsdb;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.inferometer.model.Matcher;
import org.inferometer.model.Utf8Order;
import org.inferometer.store.Querier;
import org.inferometer.store.Series;

/**
 * Reads several sources as one. A series that only one of them has is passed through as it is.
 * Thread-safe if they are.
 */
final class MergedQuerier implements Querier {
  private final List<Querier> sources;
  private final Runnable onClose;
  private final AtomicBoolean isClosed = new AtomicBoolean();

  /**
   * @param sources the earlier ones first, see {@link MergedSeries}; closed with this
   * @param onClose run once they are
   */
  MergedQuerier(List<Querier> sources, Runnable onClose) {
    this.sources = List.copyOf(sources);
    this.onClose = onClose;
  }

  @Override
  public List<Series> select(List<Matcher> matchers) {
    List<List<Series>> selected =
        sources.stream().map(s -> s.select(matchers)).filter(s -> !s.isEmpty()).toList();
    return switch (selected.size()) {
      case 0 -> List.of();
      case 1 -> selected.getFirst();
      default -> merge(selected);
    };
  }

  private static List<Series> merge(List<List<Series>> selected) {
    List<Series> merged = new ArrayList<>(selected.getFirst().size());
    new LabelsMerge<>(selected.stream().map(List::iterator).toList(), Series::labels)
        .forEachRemaining(s -> merged.add(s.size() == 1 ? s.getFirst() : new MergedSeries(s)));
    return merged;
  }

  @Override
  public List<String> labelNames(List<Matcher> matchers) {
    return union(source -> source.labelNames(matchers));
  }

  @Override
  public List<String> labelValues(String name, List<Matcher> matchers) {
    return union(source -> source.labelValues(name, matchers));
  }

  private List<String> union(Function<Querier, List<String>> question) {
    if (sources.size() == 1) {
      return question.apply(sources.getFirst());
    }
    TreeSet<String> union = new TreeSet<>(Utf8Order.INSTANCE);
    sources.forEach(source -> union.addAll(question.apply(source)));
    return List.copyOf(union);
  }

  @Override
  public List<String> warnings() {
    return sources.stream().flatMap(source -> source.warnings().stream()).distinct().toList();
  }

  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true)) {
      try {
        sources.forEach(Querier::close);
      } finally {
        onClose.run();
      }
    }
  }
}
