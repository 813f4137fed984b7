package org.inferometer.app;

import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.jspecify.annotations.Nullable;

/** The log: one line a message on standard error, with the chain of causes after it. */
final class Logging {
  /**
   * Never read, but kept, since the log manager forgets the levels of loggers that nobody holds.
   */
  @SuppressWarnings("UnusedVariable")
  private static @Nullable Logger libraries;

  private Logging() {}

  static void start(Console console) {
    LogManager.getLogManager().reset();
    Logger root = Logger.getLogger("");
    root.setLevel(Level.INFO);
    root.addHandler(new ConsoleHandler(console));
    Logger helidon = Logger.getLogger("io.helidon");
    helidon.setLevel(Level.WARNING);
    libraries = helidon;
  }

  private static final class ConsoleHandler extends Handler {
    private final Console console;
    private final SimpleFormatter formatter = new SimpleFormatter();

    ConsoleHandler(Console console) {
      this.console = console;
    }

    @Override
    public void publish(LogRecord line) {
      if (isLoggable(line)) {
        StringBuilder text = new StringBuilder();
        if (line.getLevel().intValue() >= Level.WARNING.intValue()) {
          text.append(line.getLevel().getName().toLowerCase(java.util.Locale.ROOT)).append(": ");
        }
        text.append(formatter.formatMessage(line));
        for (Throwable e = line.getThrown(); e != null; e = e.getCause()) {
          text.append(": ").append(e);
        }
        console.say(text.toString());
      }
    }

    @Override
    public void flush() {
      console.err().flush();
    }

    @Override
    public void close() {
      flush();
    }
  }
}
