package org.inferometer.tsdb.block;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.inferometer.model.Matcher;
import org.inferometer.tsdb.index.IdSet;
import org.inferometer.tsdb.index.PostingsSource;
import org.jspecify.annotations.Nullable;

/** The postings of a block for one querier, which is told what of them is damaged. Thread-safe. */
final class BlockPostings implements PostingsSource {
  private final BlockIndex index;
  private final Damages damages;

  BlockPostings(BlockIndex index, Damages damages) {
    this.index = index;
    this.damages = damages;
  }

  @Override
  public IdSet allIds() {
    try {
      return index.allIds();
    } catch (DamageException e) {
      damages.add(e, "no series are found by what they don't have");
      return IdSet.EMPTY;
    }
  }

  @Override
  public int publishedId() {
    return Integer.MAX_VALUE;
  }

  @Override
  public @Nullable LabelPostings label(String name) {
    PostingsTable.Label label = index.label(name);
    return label == null || name.isEmpty() ? null : new Postings(label);
  }

  @Override
  public boolean matches(int id, Matcher matcher) {
    try {
      return matcher.matches(index.series(id).value(matcher.name()));
    } catch (DamageException e) {
      damages.add(e, "a series is missing");
      return false;
    }
  }

  /** Those of one label name. */
  private final class Postings implements LabelPostings {
    private final PostingsTable.Label label;

    Postings(PostingsTable.Label label) {
      this.label = label;
    }

    @Override
    public int valueCount() {
      return label.to() - label.from();
    }

    @Override
    public IdSet ids(String value) {
      try {
        int entry = index.postingsTable().find(label, value);
        return entry < 0 ? IdSet.EMPTY : index.postingsTable().ids(entry);
      } catch (DamageException e) {
        damages.add(e, "series with %s=\"%s\" may be missing".formatted(label.name(), value));
        return IdSet.EMPTY;
      }
    }

    @Override
    public List<IdSet> ids(Predicate<String> wanted) {
      List<IdSet> sets = new ArrayList<>();
      for (int entry = label.from(); entry < label.to(); entry++) {
        add(entry, wanted, sets);
      }
      return sets;
    }

    private void add(int entry, Predicate<String> wanted, List<IdSet> sets) {
      try {
        if (wanted.test(index.postingsTable().value(entry))) {
          sets.add(index.postingsTable().ids(entry));
        }
      } catch (DamageException e) {
        damages.add(e, "series with a label %s may be missing".formatted(label.name()));
      }
    }
  }
}
