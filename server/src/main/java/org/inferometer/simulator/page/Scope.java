package org.inferometer.simulator.page;

import java.util.List;
import org.inferometer.model.Version;
import org.inferometer.yaml.Fields;
import org.jspecify.annotations.Nullable;

/**
 * In which releases and front ends something is there.
 *
 * @param since the first release; null for always
 * @param last the last release, those it stands for included; null for still
 * @param frontends all, if none is named
 */
record Scope(@Nullable Version since, @Nullable Version last, List<String> frontends) {
  Scope {
    frontends = List.copyOf(frontends);
  }

  static Scope read(Fields fields) {
    Version since = fields.optionalVersion("since");
    Version last = fields.optionalVersion("last");
    if (since != null && last != null && since.isAfter(last)) {
      fields.problem("last", "expected a release from " + since + " on, not " + last);
    }
    return new Scope(since, last, fields.optionalTexts("frontends"));
  }

  boolean holds(Version release, String frontend) {
    return (since == null || !since.isAfter(release))
        && (last == null || !release.isAfter(last))
        && (frontends.isEmpty() || frontends.contains(frontend));
  }
}
