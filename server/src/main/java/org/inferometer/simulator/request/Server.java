package org.inferometer.simulator.request;

/** What takes requests: a gateway, the API front end of a replica. */
public interface Server {
  /** Its name in logs and routing. */
  String name();

  /** Takes a request; the receiver is told of everything, now at the earliest. */
  void submit(Request request, Receiver receiver);

  /** The receiver has gone away. It isn't told of anything any more, nor of the end. */
  void abandon(Request request);

  /** Requests inside it, all that is below it included. */
  int inFlight();
}
