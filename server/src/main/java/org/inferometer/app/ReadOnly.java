package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;

/** What doesn't go together with a data directory in which nothing is changed. */
final class ReadOnly {
  private ReadOnly() {}

  /**
   * @throws CommandException with all that doesn't go with it, if it is asked for
   */
  static void check(ServeOptions options, Settings settings) {
    if (!options.storage().isReadOnly()) {
      return;
    }
    List<String> problems = new ArrayList<>();
    if (!options.urls().isEmpty()) {
      problems.add("leave out " + String.join(" ", options.urls()));
    } else if (!settings.scrapes().isEmpty()) {
      problems.add("leave out the scrape_configs of " + options.configFile());
    }
    if (options.web().remoteWriteReceiver()) {
      problems.add("leave out --web.enable-remote-write-receiver");
    }
    if (options.web().adminApi()) {
      problems.add("leave out --web.enable-admin-api");
    }
    if (!problems.isEmpty()) {
      throw CommandException.badInput(
          StorageFlags.READ_ONLY
              + " only shows what is there, nothing is scraped or changed: "
              + String.join(", ", problems));
    }
  }
}
