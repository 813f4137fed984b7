package org.inferometer.simulator.workload;

import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;

/** A request at the client, from the moment it is due until the client is done with it. */
final class Call implements Receiver {
  private final Clients clients;
  final Session session;
  final Request request;

  /** The closed workload's user, or -1. */
  final int user;

  /** When the client noted the first token, -1 if it hasn't. */
  long firstNs = -1;

  private boolean arrived;
  private boolean serverIsDone;
  private boolean done;

  Call(Clients clients, Session session, Request request, int user) {
    this.clients = clients;
    this.session = session;
    this.request = request;
    this.user = user;
  }

  @Override
  public boolean wantsEveryToken() {
    return false;
  }

  @Override
  public void tokens(Request from, int count) {
    if (!arrived) {
      arrived = true;
      clients.onAnswerStart(
          () -> {
            if (!done) {
              firstNs = clients.now();
              clients.noteFirst(this);
            }
          });
    }
  }

  @Override
  public void ended(Request from, Outcome outcome) {
    serverIsDone = true;
    clients.onAnswerEnd(() -> finish(outcome));
  }

  /** The client leaves, for this reason. */
  void leave(String reason) {
    if (done) {
      return;
    }
    if (!serverIsDone) {
      clients.abandon(request);
    }
    finish(new Outcome(499, null, reason));
  }

  private void finish(Outcome outcome) {
    if (!done) {
      done = true;
      clients.noteEnd(this, outcome);
    }
  }
}
