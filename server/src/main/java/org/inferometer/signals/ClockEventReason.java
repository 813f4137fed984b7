package org.inferometer.signals;

/**
 * Why the clocks of a GPU are below their maximum.
 *
 * @param bit its place in the driver's mask, from 0
 * @param says what it means, a sentence
 * @param matters whether it costs speed that somebody should get back
 */
public record ClockEventReason(int bit, String name, String says, boolean matters) {
  boolean isIn(long mask) {
    return ((mask >> bit) & 1) == 1;
  }
}
