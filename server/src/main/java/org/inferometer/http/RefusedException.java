package org.inferometer.http;

/** A request that isn't worked on because of a limit, or because its body can't be read. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Reasons, each with its HTTP status. */
  public enum Why {
    /** The body isn't well formed. */
    BROKEN(400),
    TOO_LARGE(413),
    /** Others take all the room there is; the client may try again. */
    NO_ROOM(503);

    private final int status;

    Why(int status) {
      this.status = status;
    }

    public int status() {
      return status;
    }
  }

  private final Why why;

  public RefusedException(Why why, String message) {
    super(message);
    this.why = why;
  }

  public Why why() {
    return why;
  }
}
