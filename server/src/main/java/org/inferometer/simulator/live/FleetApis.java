package org.inferometer.simulator.live;

import java.util.ArrayList;
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
        made.release(),
        null);
  }

  /** The model, and the adapters that the workload asks for if it can be given any. */
  private static List<ModelCard> cards(Fleet fleet, Replica replica) {
    ModelCard model = card(replica);
    List<ModelCard> cards = new ArrayList<>();
    cards.add(model);
    if (replica.made().flags().lora() != null) {
      for (int i = 0; i < adapters(fleet.scenario()); i++) {
        cards.add(model.adapter("adapter-" + i));
      }
    }
    return cards;
  }

  private static int adapters(Scenario scenario) {
    return scenario.workloads().stream()
        .map(Scenario.Workload::adapters)
        .mapToInt(mix -> mix == null ? 0 : mix.count())
        .max()
        .orElse(0);
  }

  static Api of(Fleet fleet, Replica replica) {
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
        return cards(fleet, replica);
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
      for (ModelCard card : cards(fleet, replica)) {
        cards.merge(card.id(), card, (a, b) -> b.contextMax() < a.contextMax() ? b : a);
      }
    }
    return List.copyOf(cards.values());
  }
}
