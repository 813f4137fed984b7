package org.inferometer.signals;

import java.util.Set;

/** What a watched service is, in the order in which services are listed. */
public enum ServiceKind {
  ENGINE,
  GPU,
  HOST,
  OTHER;

  /** The layers whose signals such a service can feed. */
  Set<Layer> layers() {
    return switch (this) {
      case ENGINE -> Set.of(Layer.REQUEST, Layer.ENGINE);
      case GPU -> Set.of(Layer.GPU);
      case HOST -> Set.of(Layer.HOST);
      case OTHER -> Set.of();
    };
  }
}
