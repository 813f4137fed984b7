package org.inferometer.query.script;

/** A script that isn't well formed; the message says what was expected. */
public final class ScriptException extends Exception {
  private static final long serialVersionUID = 1L;

  ScriptException(String message) {
    super(message);
  }

  ScriptException(String message, Throwable cause) {
    super(message, cause);
  }
}
