package org.inferometer.remote;

/** The versions of remote write, each with the name of its message. */
public enum WriteProtocol {
  V1("prometheus.WriteRequest"),
  V2("io.prometheus.write.v2.Request");

  private final String message;

  WriteProtocol(String message) {
    this.message = message;
  }

  /** The message's full name, as in the parameter {@code proto} of a content type. */
  public String message() {
    return message;
  }
}
