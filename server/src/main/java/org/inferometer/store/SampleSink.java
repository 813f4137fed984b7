package org.inferometer.store;

/** Where samples go. Thread-safe. */
@FunctionalInterface
public interface SampleSink {
  Appender appender();
}
