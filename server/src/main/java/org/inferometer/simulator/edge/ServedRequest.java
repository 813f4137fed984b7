package org.inferometer.simulator.edge;

import org.inferometer.simulator.engine.Engine;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/** A request at an API front end. */
final class ServedRequest {
  final Request request;
  final Receiver receiver;
  final ApiProcess process;
  final long arrivalNs;

  /** Where it was sent; null until it was. */
  @Nullable Engine engine;

  /** Whether it has arrived there. */
  boolean handedOver;

  /** Its latest outputs that wait, and where in them. */
  @Nullable OutputBatch batch;

  int place;

  /** Tokens that were handed on, or would have been if it streamed. */
  int delivered;

  /** Whether its client has gone. */
  boolean gone;

  /** Whether it has ended, for the client or the engine. */
  boolean ended;

  ServedRequest(Request request, Receiver receiver, ApiProcess process, long arrivalNs) {
    this.request = request;
    this.receiver = receiver;
    this.process = process;
    this.arrivalNs = arrivalNs;
  }
}
