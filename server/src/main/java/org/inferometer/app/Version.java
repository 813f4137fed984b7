package org.inferometer.app;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** Which build this is, as the jar's manifest says. */
final class Version implements IVersionProvider {
  static String text() {
    @Nullable String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }

  /** What it calls itself when it asks others. */
  static String userAgent() {
    return "Inferometer/" + text();
  }

  @Override
  public String[] getVersion() {
    return new String[] {"inferometer " + text() + " (Java " + Runtime.version() + ")"};
  }
}
