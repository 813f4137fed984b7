package org.inferometer.diagnosis.watch;

import org.inferometer.diagnosis.finding.Finding;
import org.inferometer.diagnosis.finding.Scope;
import org.jspecify.annotations.Nullable;

/** What makes findings of different looks the same one: what it is and where. */
public record FindingKey(
    String service, String cause, @Nullable String instance, @Nullable String gpu) {
  static FindingKey of(Finding finding) {
    Scope scope = finding.scope();
    return new FindingKey(scope.service(), finding.cause(), scope.instance(), scope.gpu());
  }
}
