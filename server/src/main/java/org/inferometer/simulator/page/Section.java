package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.List;

/** A family on a page, with all of its series. Not thread-safe. */
final class Section {
  private final Style style;
  private final boolean showsEmptyFamilies;
  private final SeriesMaker maker;
  private final byte[] header;
  private final byte[] createdHeader;
  private final List<RowSeries> rows = new ArrayList<>();

  Section(Family family, PageForm form, List<Group> groups, long epochMs) {
    style = form.style();
    showsEmptyFamilies = form.showsEmptyFamilies();
    maker = new SeriesMaker(family, form, epochMs);
    header = maker.header();
    createdHeader = maker.createdHeader();
    for (Group group : groups) {
      for (Family.Row row : family.rows()) {
        rows.add(new RowSeries(family, row, group, maker));
      }
    }
  }

  void write(Bytes out, long nowNs) {
    int before = out.length();
    out.add(header);
    int start = out.length();
    for (RowSeries row : rows) {
      row.write(out, nowNs);
    }
    if (out.length() == start && !showsEmptyFamilies) {
      out.cutTo(before);
      return;
    }
    if (!maker.created().isEmpty()) {
      out.add(createdHeader);
      for (Series series : maker.created()) {
        series.write(out, nowNs);
      }
    }
    if (style == Style.METRICS) {
      out.add('\n');
    }
  }
}
