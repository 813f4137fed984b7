package org.inferometer.signals;

import java.util.Set;

/** What a watched service is, in the order in which services are listed. */
public enum ServiceKind {
  ENGINE(Layer.REQUEST, Layer.ENGINE),
  GPU(Layer.GPU),
  HOST(Layer.HOST),
  OTHER;

  private final Set<Layer> layers;

  ServiceKind(Layer... layers) {
    this.layers = Set.of(layers);
  }

  /** The layers whose signals such a service can feed. */
  Set<Layer> layers() {
    return layers;
  }
}
