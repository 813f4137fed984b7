package org.inferometer.time;

/** The time of day in milliseconds since the Unix epoch; handed in, so that tests can turn it. */
@FunctionalInterface
public interface WallClock {
  long nowMs();

  /** The machine's clock. The only place in the program that reads it. */
  static WallClock system() {
    return System::currentTimeMillis;
  }
}
