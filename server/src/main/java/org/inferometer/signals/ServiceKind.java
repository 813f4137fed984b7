package org.inferometer.signals;

import java.util.Set;

/** What a watched service is, in the order in which services are listed. */
public enum ServiceKind {
  ENGINE,
  /** A router, gateway or proxy before engines; what it measures is seen from there. */
  ROUTER,
  GPU,
  HOST,
  /** What tells of pods and containers. */
  CLUSTER,
  OTHER;

  /** The layers whose signals such a service can feed. */
  Set<Layer> layers() {
    return switch (this) {
      case ENGINE, ROUTER -> Set.of(Layer.REQUEST, Layer.ENGINE);
      case GPU -> Set.of(Layer.GPU);
      case HOST, CLUSTER -> Set.of(Layer.HOST);
      case OTHER -> Set.of();
    };
  }
}
