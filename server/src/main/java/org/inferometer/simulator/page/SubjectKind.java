package org.inferometer.simulator.page;

import org.inferometer.simulator.measure.ClientQuantity;
import org.inferometer.simulator.measure.EngineQuantity;
import org.inferometer.simulator.measure.GatewayQuantity;
import org.inferometer.simulator.measure.GpuQuantity;
import org.inferometer.simulator.measure.HostQuantity;
import org.inferometer.simulator.measure.Quantity;
import org.inferometer.simulator.measure.ServerQuantity;
import org.jspecify.annotations.Nullable;

/** What families can be about, with the quantities that are measured of it. */
enum SubjectKind {
  ENGINE(EngineQuantity.class),
  SERVER(ServerQuantity.class),
  GPU(GpuQuantity.class),
  HOST(HostQuantity.class),
  GATEWAY(GatewayQuantity.class),
  CLIENT(ClientQuantity.class);

  private final Class<? extends Quantity> quantities;

  SubjectKind(Class<? extends Quantity> quantities) {
    this.quantities = quantities;
  }

  @Nullable Quantity find(String id) {
    for (Quantity quantity : quantities.getEnumConstants()) {
      if (quantity.id().equals(id)) {
        return quantity;
      }
    }
    return null;
  }

  static SubjectKind of(Subject subject) {
    for (SubjectKind kind : values()) {
      if (kind.name().equalsIgnoreCase(subject.kind())) {
        return kind;
      }
    }
    throw new IllegalArgumentException("expected a known kind of subject, not " + subject.kind());
  }
}
