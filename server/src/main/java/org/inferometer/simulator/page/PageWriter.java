package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes pages of one form, again and again: what stands before the numbers is put together once,
 * as long as the subjects stay the same. Not thread-safe.
 */
public final class PageWriter {
  private static final byte[] END = {'#', ' ', 'E', 'O', 'F', '\n'};

  private final PageForm form;
  private final long epochMs;
  private final Bytes out = new Bytes(1 << 16);
  private List<Subject> subjects = List.of();
  private @Nullable List<Section> sections;

  PageWriter(PageForm form, long epochMs) {
    this.form = form;
    this.epochMs = epochMs;
  }

  /**
   * The page at a moment. Its body is used again for the next one.
   *
   * @param now subjects in the order in which their series stand in a family; of one kind and with
   *     the same labels are those whose numbers are to be added
   * @param nowNs simulated
   */
  public Page write(List<Subject> now, long nowNs) {
    List<Section> all = sections;
    if (all == null || !now.equals(subjects)) {
      all = sections(now);
      sections = all;
      subjects = List.copyOf(now);
    }
    out.clear();
    for (Section section : all) {
      section.write(out, nowNs);
    }
    if (form.style() == Style.RUST) {
      out.add(END);
    }
    return new Page(out.array(), out.length(), form.contentType());
  }

  private List<Section> sections(List<Subject> now) {
    List<Group> groups = Group.of(now, form);
    List<Section> made = new ArrayList<>();
    for (Family family : form.list()) {
      List<Group> having = new ArrayList<>();
      for (Group group : groups) {
        String when = family.when();
        if (group.kind == family.of() && (when == null || group.fact(when) != null)) {
          having.add(group);
        }
      }
      if (!having.isEmpty()) {
        List<String> only = family.subjectLabels();
        made.add(
            new Section(
                family, form, only == null ? having : Group.withLabels(having, only), epochMs));
      }
    }
    return made;
  }
}
