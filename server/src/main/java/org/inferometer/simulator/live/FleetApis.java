package org.inferometer.simulator.live;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.inferometer.simulator.fleet.Fleet;
import org.inferometer.simulator.fleet.Replica;
import org.inferometer.simulator.request.Server;
import org.inferometer.simulator.scenario.Scenario;

/** The APIs of a fleet: of each replica, and of the gateway before them. */
final class FleetApis {
  private FleetApis() {}

  private static ModelCard card(Replica replica) {
    Scenario.Replicas made = replica.made();
    return new ModelCard(
        made.servedName(),
        made.engine().name().toLowerCase(Locale.ROOT),
        replica.maxModelLen(),
        made.release());
  }

  static Api of(Replica replica) {
    return new Api() {
      @Override
      public Server server() {
        return replica;
      }

      @Override
      public boolean isUp() {
        return replica.isUp();
      }

      @Override
      public List<ModelCard> models() {
        return List.of(card(replica));
      }

      @Override
      public boolean isGateway() {
        return false;
      }
    };
  }

  static Api ofEntry(Fleet fleet) {
    return new Api() {
      @Override
      public Server server() {
        return fleet.entry();
      }

      @Override
      public boolean isUp() {
        return true;
      }

      @Override
      public List<ModelCard> models() {
        return all(fleet);
      }

      @Override
      public boolean isGateway() {
        return true;
      }
    };
  }

  /** Of replicas that serve one model, the one that takes least decides what it takes. */
  private static List<ModelCard> all(Fleet fleet) {
    Map<String, ModelCard> cards = new LinkedHashMap<>();
    for (Replica replica : fleet.replicas()) {
      cards.merge(
          card(replica).id(), card(replica), (a, b) -> b.contextMax() < a.contextMax() ? b : a);
    }
    return List.copyOf(cards.values());
  }
}
