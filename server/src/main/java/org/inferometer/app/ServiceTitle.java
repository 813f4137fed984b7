package org.inferometer.app;

import org.inferometer.query.QueryException;
import org.inferometer.signals.Service;
import org.inferometer.signals.Signals;
import org.jspecify.annotations.Nullable;

/** What a target was recognised as, in a few words: {@code vLLM 0.8 to 0.9, Qwen3-32B}. */
final class ServiceTitle {
  private ServiceTitle() {}

  /** The words, or null if it wasn't recognised. */
  static @Nullable String of(Signals signals, String instance, String job) {
    try {
      for (Service service : signals.services().services()) {
        for (Service.Replica replica : service.replicas()) {
          if (replica.instance().equals(instance) && replica.job().equals(job)) {
            return title(service);
          }
        }
      }
    } catch (QueryException e) {
      // Asked again when its state changes.
    }
    return null;
  }

  private static String title(Service service) {
    StringBuilder title = new StringBuilder(service.engine().title());
    if (service.version() != null) {
      title.append(' ').append(service.version().text());
    }
    if (service.model() != null) {
      title.append(", ").append(service.model());
    }
    return title.toString();
  }
}
