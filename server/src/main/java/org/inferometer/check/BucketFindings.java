package org.inferometer.check;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What there is to do about bucket edges, one thing for each option that is to be set. */
final class BucketFindings {
  /** An option whose value is an object of JSON in quotes: two of them become one. */
  private static final Pattern OBJECT = Pattern.compile("(.*'\\{)(.*)(}'.*)", Pattern.DOTALL);

  /** The last sentence, with the blank before it. */
  private static final Pattern LAST = Pattern.compile(" They can be set since [^ ].*$");

  private BucketFindings() {}

  static List<Finding> of(List<Part> parts) {
    List<Finding> findings = new ArrayList<>();
    for (Part part : parts) {
      for (BucketView view : part.buckets()) {
        Finding finding = BucketCheck.finding(part, view);
        if (finding != null && !findings.contains(finding)) {
          add(findings, finding);
        }
      }
    }
    return findings;
  }

  private static void add(List<Finding> findings, Finding next) {
    for (int i = 0; i < findings.size(); i++) {
      Finding one = findings.get(i);
      String fix = merged(one.fix(), next.fix());
      if (one.id().equals(next.id()) && one.weight() == next.weight() && fix != null) {
        String says = together(one.says(), next.says());
        findings.set(i, new Finding(one.id(), one.weight(), says, fix, one.source()));
        return;
      }
    }
    findings.add(next);
  }

  /** Two texts as one, their last sentence once if they have that in common. */
  static String together(String one, String next) {
    Matcher last = LAST.matcher(one);
    boolean isShared = last.find() && next.endsWith(last.group());
    return (isShared ? one.substring(0, last.start()) : one) + " " + next;
  }

  /** One line in place of two that set the same option, or null if they don't. */
  static @Nullable String merged(@Nullable String one, @Nullable String other) {
    if (one == null || other == null) {
      return null;
    }
    if (one.equals(other)) {
      return one;
    }
    Matcher first = OBJECT.matcher(one);
    Matcher second = OBJECT.matcher(other);
    boolean same =
        first.matches()
            && second.matches()
            && first.group(1).equals(second.group(1))
            && first.group(3).equals(second.group(3));
    return same ? first.group(1) + first.group(2) + "," + second.group(2) + first.group(3) : null;
  }
}
