package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/** A receiver that notes everything. */
final class Listener implements Receiver {
  private final Agenda agenda;
  private final boolean every;
  final List<Long> arrivals = new ArrayList<>();
  int tokens;
  int ends;
  long endNs = -1;
  @Nullable Outcome outcome;

  Listener(Agenda agenda, boolean every) {
    this.agenda = agenda;
    this.every = every;
  }

  @Override
  public boolean wantsEveryToken() {
    return every;
  }

  @Override
  public void tokens(Request request, int count) {
    arrivals.add(agenda.now());
    tokens += count;
  }

  @Override
  public void ended(Request request, Outcome how) {
    ends++;
    endNs = agenda.now();
    outcome = how;
  }
}
