package org.inferometer.tsdb.index;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.inferometer.model.Matcher;
import org.jspecify.annotations.Nullable;

/**
 * Finds the ids that pass all matchers.
 *
 * <ol>
 *   <li>A matcher that doesn't pass the empty value picks the union of the postings of the values
 *       it passes. Those that name their values come first, the shortest postings first.
 *   <li>One that passes the empty value also picks series without the label, which no postings
 *       list; so the values that it doesn't pass are taken away, last.
 *   <li>Where few candidates are left, each is asked by its labels instead, which costs less than
 *       walking a label's values or long postings.
 * </ol>
 */
public final class SeriesFinder {
  /** Asking a candidate by its labels costs about as much as walking so many ids. */
  private static final int ASK_COST = 8;

  private final PostingsSource index;

  public SeriesFinder(PostingsSource index) {
    this.index = index;
  }

  /** The ids of the series that pass all matchers; some may have been removed meanwhile. */
  public IdSet find(List<Matcher> matchers) {
    int published = index.publishedId();
    List<Matcher> walking = new ArrayList<>();
    List<Named> named = new ArrayList<>();
    for (Matcher matcher : matchers) {
      Set<String> literals = matcher.literals();
      if (matcher.matchesEmpty()) {
        continue;
      }
      if (matcher.isPositive() && literals != null) {
        named.add(named(matcher, literals));
      } else {
        walking.add(matcher);
      }
    }
    IdSet found = intersection(named);
    for (Matcher matcher : walking) {
      found = intersectWalking(found, matcher);
    }
    IdSet left = found == null ? index.allIds() : found;
    for (Matcher matcher : matchers) {
      if (matcher.matchesEmpty() && left.size() > 0) {
        left = subtract(left, matcher);
      }
    }
    return left.upTo(published);
  }

  /**
   * A matcher with the postings of the values that it names.
   *
   * @param size of all postings
   */
  private record Named(Matcher matcher, List<IdSet> postings, long size) {}

  private Named named(Matcher matcher, Set<String> values) {
    PostingsSource.LabelPostings label = index.label(matcher.name());
    List<IdSet> postings = label == null ? List.of() : postings(label, values);
    return new Named(matcher, postings, IdSet.sizeOf(postings));
  }

  private @Nullable IdSet intersection(List<Named> all) {
    all.sort(Comparator.comparingLong(Named::size));
    IdSet found = null;
    for (Named named : all) {
      found = found == null ? IdSet.unionOfDisjoint(named.postings()) : intersect(found, named);
    }
    return found;
  }

  /** A union of many has to be made first; one value's postings are there to jump through. */
  private IdSet intersect(IdSet found, Named named) {
    boolean isUnion = named.postings().size() > 1;
    return isUnion && named.size() > (long) ASK_COST * found.size()
        ? ask(found, named.matcher())
        : found.intersect(IdSet.unionOfDisjoint(named.postings()));
  }

  private IdSet intersectWalking(@Nullable IdSet found, Matcher matcher) {
    PostingsSource.LabelPostings label = index.label(matcher.name());
    if (label == null) {
      return IdSet.EMPTY;
    }
    if (found != null && found.size() <= label.valueCount()) {
      return ask(found, matcher);
    }
    List<IdSet> passing = label.ids(matcher::matches);
    if (found != null && IdSet.sizeOf(passing) > (long) ASK_COST * found.size()) {
      return ask(found, matcher);
    }
    IdSet union = IdSet.unionOfDisjoint(passing);
    return found == null ? union : found.intersect(union);
  }

  private IdSet subtract(IdSet found, Matcher matcher) {
    PostingsSource.LabelPostings label = index.label(matcher.name());
    if (label == null) {
      return found;
    }
    Set<String> literals = matcher.isPositive() ? null : matcher.literals();
    if (literals == null && found.size() <= label.valueCount()) {
      return ask(found, matcher);
    }
    List<IdSet> excluded =
        literals == null ? label.ids(value -> !matcher.matches(value)) : postings(label, literals);
    return IdSet.sizeOf(excluded) > (long) ASK_COST * found.size()
        ? ask(found, matcher)
        : found.subtract(IdSet.unionOfDisjoint(excluded));
  }

  private static List<IdSet> postings(PostingsSource.LabelPostings label, Set<String> values) {
    List<IdSet> sets = new ArrayList<>(values.size());
    for (String value : values) {
      IdSet ids = label.ids(value);
      if (ids.size() > 0) {
        sets.add(ids);
      }
    }
    return sets;
  }

  /** The candidates whose labels pass. */
  private IdSet ask(IdSet candidates, Matcher matcher) {
    int[] passing = new int[candidates.size()];
    int count = 0;
    for (int i = 0; i < candidates.size(); i++) {
      if (index.matches(candidates.get(i), matcher)) {
        passing[count++] = candidates.get(i);
      }
    }
    return new IdSet(passing, count);
  }
}
