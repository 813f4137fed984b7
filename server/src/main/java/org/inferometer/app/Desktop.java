package org.inferometer.app;

import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The browser of whoever sits before this machine, if somebody does. */
final class Desktop {
  private Desktop() {}

  /**
   * What opens a page here; null where there is no desktop.
   *
   * @param system the name of the operating system
   */
  static @Nullable String opener(String system, Map<String, String> environment) {
    String name = system.toLowerCase(Locale.ROOT);
    if (name.startsWith("mac")) {
      // A session over the network has no screen.
      return environment.containsKey("SSH_CONNECTION") ? null : "open";
    }
    boolean hasScreen =
        environment.containsKey("DISPLAY") || environment.containsKey("WAYLAND_DISPLAY");
    return name.startsWith("linux") && hasScreen ? "xdg-open" : null;
  }

  /** Opens a page if it can; that it can't is no trouble, as its address was told. */
  static void open(String address) {
    String opener = opener(System.getProperty("os.name", ""), System.getenv());
    if (opener == null) {
      return;
    }
    try {
      new ProcessBuilder(opener, address)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      // There is no such program here.
    }
  }
}
