package org.inferometer.diagnosis.world;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What users feel of a service, worst first. */
public record Symptoms(List<Symptom> all) {
  public static final Symptoms NONE = new Symptoms(List.of());

  public Symptoms {
    all = List.copyOf(all);
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** Whether users feel this, as the engine measures it. */
  public boolean has(Symptom.Kind kind) {
    return all.stream().anyMatch(s -> s.kind() == kind && s.edge() == null);
  }

  /** Whether users feel this, whoever measures it. */
  public boolean hasAnywhere(Symptom.Kind kind) {
    return all.stream().anyMatch(s -> s.kind() == kind);
  }

  /** What an engine, a gateway or a client tells of it, null if it is well. */
  public @Nullable Symptom find(Symptom.Kind kind) {
    return all.stream().filter(s -> s.kind() == kind).findFirst().orElse(null);
  }
}
