package org.inferometer.simulator.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.inferometer.simulator.edge.Stage.MILLI;
import static org.inferometer.simulator.edge.Stage.SECOND;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Request;
import org.junit.jupiter.api.Test;

class InTurnTest {
  private final Stage stage = new Stage(4);
  private final InTurn inTurn = new InTurn();

  private void add(String name) {
    inTurn.add(stage.frontEnd(name, FrontEndCosts.python(), 1, 20 * MILLI));
  }

  private Listener ask() {
    Listener listener = new Listener(stage.agenda, false);
    inTurn.submit(stage.request(100, 10, true), listener);
    return listener;
  }

  @Test
  void replicas_areAskedInTurn() {
    add("a");
    add("b");
    List<Listener> listeners = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      listeners.add(ask());
    }
    assertThat(inTurn.inFlight()).isEqualTo(10);
    stage.agenda.runUntil(SECOND);
    assertThat(listeners).allMatch(one -> one.ends == 1 && one.tokens == 1);
    assertThat(stage.engine("a").added).isEqualTo(5);
    assertThat(inTurn.inFlight()).isZero();
  }

  @Test
  void replicaThatStartedAgain_takesThePlaceOfTheOldOne() {
    add("a");
    SteadyEngine old = stage.engine("a");
    add("a");
    ask();
    ask();
    stage.agenda.runUntil(SECOND);
    assertThat(old.added).isZero();
    assertThat(stage.engine("a").added).isEqualTo(2);
  }

  @Test
  void withoutReplicas_connectionsAreRefused() {
    add("a");
    inTurn.remove("a");
    assertThat(ask().outcome).isEqualTo(new Outcome(0, null, "refused"));
  }

  @Test
  void abandoned_isPassedOnToTheReplicaThatHasIt() {
    add("a");
    add("b");
    Request request = stage.request(100, 1000, true);
    Listener listener = new Listener(stage.agenda, false);
    inTurn.submit(request, listener);
    stage.agenda.runUntil(SECOND);
    inTurn.abandon(request);
    inTurn.abandon(request);
    stage.agenda.runUntil(2 * SECOND);
    assertThat(stage.engine("a").aborted + stage.engine("b").aborted).isEqualTo(1);
    assertThat(listener.ends).isZero();
  }
}
