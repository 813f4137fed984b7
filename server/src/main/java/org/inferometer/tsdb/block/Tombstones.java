package org.inferometer.tsdb.block;

/** Which samples of which series of a block are deleted. Immutable. */
public final class Tombstones {
  public static final Tombstones NONE = new Tombstones();

  private Tombstones() {}

  /** How many series have any. */
  public int seriesCount() {
    return 0;
  }
}
