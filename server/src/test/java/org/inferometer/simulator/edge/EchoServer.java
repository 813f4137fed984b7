package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Request.Finish;
import org.inferometer.simulator.request.Server;

/** A server that gives each request its whole answer after the same time, at once. */
public final class EchoServer implements Server {
  private final Agenda agenda;
  private final long answerNs;
  private final Set<Long> inside = new HashSet<>();
  public final List<Request> asked = new ArrayList<>();
  public int abandoned;

  /** The most that it had at once. */
  public int most;

  /** What each answer is. */
  public Outcome outcome = Outcome.ok(Finish.STOP);

  public EchoServer(Agenda agenda, long answerNs) {
    this.agenda = agenda;
    this.answerNs = answerNs;
  }

  @Override
  public String name() {
    return "echo";
  }

  @Override
  public void submit(Request request, Receiver receiver) {
    asked.add(request);
    inside.add(request.id);
    most = Math.max(most, inside.size());
    agenda.in(answerNs, () -> answer(request, receiver));
  }

  private void answer(Request request, Receiver receiver) {
    if (!inside.remove(request.id)) {
      return;
    }
    if (outcome.isOk()) {
      request.generated = request.ask.tokensToGenerate();
      receiver.tokens(request, request.generated);
    }
    receiver.ended(request, outcome);
  }

  @Override
  public void abandon(Request request) {
    if (inside.remove(request.id)) {
      abandoned++;
    }
  }

  @Override
  public int inFlight() {
    return inside.size();
  }
}
