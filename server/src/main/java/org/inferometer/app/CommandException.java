package org.inferometer.app;

import org.jspecify.annotations.Nullable;

/** A command that can't go on: what to tell the user, and how the program ends. */
final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int exitCode;

  private CommandException(int exitCode, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The user gave something that can't be used; the message says what was expected. */
  static CommandException badInput(String message) {
    return new CommandException(ExitCode.USAGE, message, null);
  }

  /** What the user asked for couldn't be done. */
  static CommandException failed(String message, Throwable cause) {
    return new CommandException(ExitCode.FAILED, message, cause);
  }

  static CommandException failed(String message) {
    return new CommandException(ExitCode.FAILED, message, null);
  }

  int exitCode() {
    return exitCode;
  }
}
