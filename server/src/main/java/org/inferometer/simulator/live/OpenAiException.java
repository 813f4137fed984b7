package org.inferometer.simulator.live;

import org.jspecify.annotations.Nullable;

/** A request that gets an error for an answer, as OpenAI-compatible servers give it. */
final class OpenAiException extends Exception {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String type;
  private final transient @Nullable String param;

  private OpenAiException(int status, String type, @Nullable String param, String message) {
    super(message);
    this.status = status;
    this.type = type;
    this.param = param;
  }

  /** What is asked can't be done. */
  static OpenAiException badRequest(@Nullable String param, String message) {
    return new OpenAiException(400, "BadRequestError", param, message);
  }

  /** The body isn't of the form that the API has. */
  static OpenAiException malformed(String message) {
    return new OpenAiException(400, "Bad Request", null, message);
  }

  static OpenAiException notFound(String param, String message) {
    return new OpenAiException(404, "NotFoundError", param, message);
  }

  static OpenAiException of(int status, String type, String message) {
    return new OpenAiException(status, type, null, message);
  }

  int status() {
    return status;
  }

  String type() {
    return type;
  }

  @Nullable String param() {
    return param;
  }
}
