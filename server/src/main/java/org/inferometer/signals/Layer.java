package org.inferometer.signals;

/** Where in the stack a signal is measured, from the user down. */
public enum Layer {
  REQUEST,
  ENGINE,
  GPU,
  HOST
}
