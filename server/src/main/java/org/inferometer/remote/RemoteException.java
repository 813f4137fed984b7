package org.inferometer.remote;

/** What another server sent can't be taken or answered; the message says why. */
public final class RemoteException extends Exception {
  private static final long serialVersionUID = 1L;

  RemoteException(String message) {
    super(message);
  }

  RemoteException(String message, Throwable cause) {
    super(message + ": " + cause.getMessage(), cause);
  }
}
