package org.inferometer.tsdb;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Series by id, in pages that go when they are empty: ids count up forever, series don't. One
 * thread changes it at a time; any thread reads, and sees a series if it learned its id after the
 * series was put.
 */
final class SeriesTable {
  /** Small enough that a page kept for one lasting series costs about as much as the series. */
  private static final int PAGE_BITS = 8;

  private static final int PAGE_SIZE = 1 << PAGE_BITS;

  /** The series of ids that have their higher bits in common. */
  private static final class Page {
    private final @Nullable HeadSeries[] series = new HeadSeries[PAGE_SIZE];
    private int count;
  }

  private volatile @Nullable Page[] pages = new Page[1];

  /** The series of an id, or null if there is none or never was. */
  @Nullable HeadSeries get(long id) {
    @Nullable Page[] snapshot = pages;
    if (id < 0 || id >>> PAGE_BITS >= snapshot.length) {
      return null;
    }
    Page page = snapshot[(int) (id >>> PAGE_BITS)];
    return page == null ? null : page.series[(int) id & (PAGE_SIZE - 1)];
  }

  void put(HeadSeries series) {
    int number = series.id() >>> PAGE_BITS;
    if (number >= pages.length) {
      pages = Arrays.copyOf(pages, number + Math.max(1, number >> 1));
    }
    Page page = pages[number];
    if (page == null) {
      page = new Page();
      pages[number] = page;
    }
    page.series[series.id() & (PAGE_SIZE - 1)] = series;
    page.count++;
  }

  void remove(HeadSeries series) {
    int number = series.id() >>> PAGE_BITS;
    Page page = pages[number];
    if (page != null) {
      page.series[series.id() & (PAGE_SIZE - 1)] = null;
      if (--page.count == 0) {
        pages[number] = null;
      }
    }
  }
}
