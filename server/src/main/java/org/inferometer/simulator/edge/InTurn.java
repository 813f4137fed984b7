package org.inferometer.simulator.edge;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.simulator.request.Outcome;
import org.inferometer.simulator.request.Receiver;
import org.inferometer.simulator.request.Request;
import org.inferometer.simulator.request.Server;

/**
 * Clients that know the replicas and ask one after the other, without a gateway: a server that is
 * none. Not thread-safe.
 */
public final class InTurn implements Server {
  private final List<Server> servers = new ArrayList<>();
  private final Map<Long, Server> askedOf = new HashMap<>();
  private int next;

  /** Adds a replica; one of the same name is replaced, as after a restart. */
  public void add(Server server) {
    for (int i = 0; i < servers.size(); i++) {
      if (servers.get(i).name().equals(server.name())) {
        servers.set(i, server);
        return;
      }
    }
    servers.add(server);
  }

  public void remove(String name) {
    servers.removeIf(server -> server.name().equals(name));
  }

  @Override
  public String name() {
    return "direct";
  }

  @Override
  public int inFlight() {
    return askedOf.size();
  }

  @Override
  public void submit(Request request, Receiver receiver) {
    if (servers.isEmpty()) {
      receiver.ended(request, new Outcome(0, null, "refused"));
      return;
    }
    next = (next + 1) % servers.size();
    Server server = servers.get(next);
    askedOf.put(request.id, server);
    server.submit(request, new Answer(receiver));
  }

  @Override
  public void abandon(Request request) {
    Server server = askedOf.remove(request.id);
    if (server != null) {
      server.abandon(request);
    }
  }

  /** Hands on what comes, and notes the end. */
  private final class Answer implements Receiver {
    private final Receiver receiver;

    Answer(Receiver receiver) {
      this.receiver = receiver;
    }

    @Override
    public boolean wantsEveryToken() {
      return receiver.wantsEveryToken();
    }

    @Override
    public void tokens(Request request, int count) {
      receiver.tokens(request, count);
    }

    @Override
    public void ended(Request request, Outcome outcome) {
      askedOf.remove(request.id);
      receiver.ended(request, outcome);
    }
  }
}
