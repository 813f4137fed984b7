package org.inferometer.signals;

import java.util.List;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * Something watched as one: an engine with its replicas, the GPUs of a machine, a host.
 *
 * @param id stable over restarts
 * @param name for people
 * @param version null if its kind has none
 * @param model the served model, or null
 * @param sentence what is the matter, in words
 * @param signals names of the signals that it feeds, in display order
 * @param related GPU and host services that belong to it
 */
public record Service(
    String id,
    ServiceKind kind,
    String name,
    Engine engine,
    @Nullable VersionRange version,
    @Nullable String model,
    State state,
    String sentence,
    List<Replica> replicas,
    List<String> signals,
    List<AbsentSignal> absent,
    List<Related> related) {
  public Service {
    replicas = List.copyOf(replicas);
    signals = List.copyOf(signals);
    absent = List.copyOf(absent);
    related = List.copyOf(related);
  }

  /** What it was taken for. */
  public record Engine(String id, String title) {}

  /**
   * One target of a service.
   *
   * @param labels what scraping knows of it: job and instance, and its node and pod where it was
   *     told
   */
  public record Replica(String instance, String job, Labels labels, State state, String sentence) {}

  /**
   * A signal that such a service could have and this one hasn't.
   *
   * @param reason a sentence
   * @param fix the flag, setting or release that brings it, or null if nothing does
   */
  public record AbsentSignal(String signal, Absence why, String reason, @Nullable String fix) {}

  /** Another service that runs in the same place. */
  public record Related(String id, String because) {}
}
