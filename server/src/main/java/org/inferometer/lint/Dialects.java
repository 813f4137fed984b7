package org.inferometer.lint;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.DialectProfile;
import org.inferometer.signals.ServiceKind;

/** What lint wants to know of dialects. */
final class Dialects {
  private Dialects() {}

  /**
   * A dialect.
   *
   * @param copies labels whose series repeat one thing
   */
  record Profile(String title, ServiceKind kind, List<String> copies) {}

  static Map<String, Profile> of(Catalogue catalogue) {
    Map<String, Profile> profiles = new HashMap<>();
    for (DialectProfile one : catalogue.profiles()) {
      profiles.put(one.id(), new Profile(one.title(), one.kind(), one.copies()));
    }
    return profiles;
  }
}
