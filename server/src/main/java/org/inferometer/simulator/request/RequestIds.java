package org.inferometer.simulator.request;

/** Numbers the requests of a simulation, from 1 on. Not thread-safe. */
public final class RequestIds {
  private long last;

  public long next() {
    return ++last;
  }
}
