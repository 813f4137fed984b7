package org.inferometer.app;

import java.util.Locale;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/** The program's entry; the only place that touches the standard streams and ends the process. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    beAlikeEverywhere();
    Console console = new Console(System.in, System.out, System.err, coloured());
    int code = new Cli(console, WallClock.system(), Ticker.system()).run(args);
    System.out.flush();
    System.exit(code);
  }

  /** What is written must not depend on where: numbers in sentences least of all. */
  static void beAlikeEverywhere() {
    Locale.setDefault(Locale.ROOT);
  }

  /** The launcher knows whether standard output is a terminal; without it, no colour. */
  private static boolean coloured() {
    return Boolean.getBoolean("inferometer.terminal")
        && System.getenv("NO_COLOR") == null
        && !"dumb".equals(System.getenv("TERM"));
  }
}
