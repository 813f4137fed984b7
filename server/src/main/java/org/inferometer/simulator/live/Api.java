package org.inferometer.simulator.live;

import java.util.List;
import org.inferometer.simulator.request.Server;

/** A server of the simulation whose API is offered over HTTP. On the simulation's thread. */
public interface Api {
  /** What takes the requests now: another one after a restart. */
  Server server();

  /** Whether something listens there: not while its process is down or starts. */
  boolean isUp();

  /** The models it offers, the one it is known for first. */
  List<ModelCard> models();

  /** Whether it stands before engines, and fails as proxies do. */
  boolean isGateway();
}
