package org.inferometer.api;

import org.inferometer.http.RefusedException;
import org.inferometer.query.QueryException;

/** A request that gets an error for an answer: an HTTP status, an error type and a message. */
final class ApiException extends Exception {
  private static final long serialVersionUID = 1L;

  /** The error types of the HTTP API, each with its status. */
  enum Kind {
    BAD_DATA("bad_data", 400),
    EXECUTION("execution", 422),
    CANCELED("canceled", 499),
    TIMEOUT("timeout", 503),
    UNAVAILABLE("unavailable", 503),
    INTERNAL("internal", 500),
    NOT_FOUND("not_found", 404),
    FORBIDDEN("forbidden", 403),
    METHOD_NOT_ALLOWED("bad_data", 405),
    TOO_LARGE("bad_data", 413),
    UNSUPPORTED_ENCODING("bad_data", 415);

    private final String type;
    private final int status;

    Kind(String type, int status) {
      this.type = type;
      this.status = status;
    }

    String type() {
      return type;
    }

    int status() {
      return status;
    }
  }

  private final Kind kind;

  ApiException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  private ApiException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  static ApiException badData(String message) {
    return new ApiException(Kind.BAD_DATA, message);
  }

  /** A parameter that can't be read, as Prometheus words it. */
  static ApiException badParameter(String name, String problem) {
    return badData("invalid parameter \"" + name + "\": " + problem);
  }

  static ApiException of(RefusedException e) {
    Kind kind =
        switch (e.why()) {
          case BROKEN -> Kind.BAD_DATA;
          case TOO_LARGE -> Kind.TOO_LARGE;
          case NO_ROOM -> Kind.UNAVAILABLE;
        };
    return new ApiException(kind, String.valueOf(e.getMessage()), e);
  }

  static ApiException of(QueryException e) {
    Kind kind =
        switch (e.kind()) {
          case BAD_DATA -> Kind.BAD_DATA;
          case EXECUTION -> Kind.EXECUTION;
          case CANCELED -> Kind.CANCELED;
          case TIMEOUT -> Kind.TIMEOUT;
          case UNAVAILABLE -> Kind.UNAVAILABLE;
          case INTERNAL -> Kind.INTERNAL;
        };
    return new ApiException(kind, String.valueOf(e.getMessage()), e);
  }

  Kind kind() {
    return kind;
  }
}
