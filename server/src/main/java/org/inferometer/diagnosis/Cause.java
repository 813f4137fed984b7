package org.inferometer.diagnosis;

import java.util.List;
import java.util.Set;
import org.inferometer.diagnosis.world.Symptom;

/**
 * What is known of a cause before anything is measured.
 *
 * @param title in a few words
 * @param layer where it sits: client, gateway, request, engine, gpu, host or telemetry
 * @param because a clause that ends "it is slow because"
 * @param isGeneric whether it says where time goes and not why, so that a specific cause explains
 *     it
 * @param standsAlone whether it is a fault in itself, also while users feel nothing
 * @param isMild whether what does it is measured and not inferred, so that a small effect is told
 *     as well
 * @param takesOut whether it takes a replica out of service, so that others get its load
 * @param felt what users can feel of it
 * @param is what it is, a sentence or two
 * @param looks how it looks, layer by layer
 * @param unlike how it is told from what looks alike
 * @param leadsTo the ids of its direct consequences
 * @param sources where that is known from
 */
public record Cause(
    String id,
    String title,
    String layer,
    String because,
    boolean isGeneric,
    boolean standsAlone,
    boolean isMild,
    boolean takesOut,
    Set<Symptom.Kind> felt,
    String is,
    List<Look> looks,
    List<Unlike> unlike,
    List<String> leadsTo,
    List<String> sources) {
  public Cause {
    felt = Set.copyOf(felt);
    looks = List.copyOf(looks);
    unlike = List.copyOf(unlike);
    leadsTo = List.copyOf(leadsTo);
    sources = List.copyOf(sources);
  }

  /**
   * How it looks in a layer.
   *
   * @param by a sentence
   */
  public record Look(String layer, String by) {}

  /**
   * What it is taken for.
   *
   * @param cause the id of the other
   * @param by what tells them apart, a sentence
   */
  public record Unlike(String cause, String by) {}
}
