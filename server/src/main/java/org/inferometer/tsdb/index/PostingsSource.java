package org.inferometer.tsdb.index;

import java.util.function.Predicate;
import org.inferometer.model.Matcher;
import org.jspecify.annotations.Nullable;

/** An index of series by label pairs, of a head or a block. Thread-safe. */
public interface PostingsSource {
  /** All series. */
  IdSet allIds();

  /** Of no series with a higher id the postings may be told of; the largest number for no limit. */
  int publishedId();

  /** Null if no series has the label. */
  @Nullable LabelPostings label(String name);

  /** Whether a series passes; false for an id that no series has any more. */
  boolean matches(int id, Matcher matcher);

  /** The postings of one label name. */
  interface LabelPostings {
    /** How many values there are. */
    int valueCount();

    /** The ids of the series with a value; empty for none. */
    IdSet ids(String value);

    /** The ids for each value that is wanted. */
    java.util.List<IdSet> ids(Predicate<String> wanted);
  }
}
