package org.inferometer.app;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.query.QueryException;
import org.inferometer.signals.Service;
import org.inferometer.signals.Signals;
import org.jspecify.annotations.Nullable;

/** What a target was recognised as, in a few words: {@code vLLM 0.8 to 0.9, Qwen3-32B}. */
final class ServiceTitle {
  private ServiceTitle() {}

  /** The words, or null if it wasn't recognised. */
  static @Nullable String of(Signals signals, String instance, String job) {
    List<String> titles = new ArrayList<>();
    try {
      for (Service service : signals.services().services()) {
        for (Service.Replica replica : service.replicas()) {
          if (replica.instance().equals(instance) && replica.job().equals(job)) {
            titles.add(title(service));
          }
        }
      }
    } catch (QueryException e) {
      return null; // Asked again when its state changes.
    }
    return titles.isEmpty() ? null : joined(titles);
  }

  /** A few words, though a target may serve many models. */
  private static String joined(List<String> titles) {
    int more = titles.size() - TITLES_MAX;
    return more <= 0
        ? String.join("; ", titles)
        : String.join("; ", titles.subList(0, TITLES_MAX)) + "; and " + more + " more";
  }

  private static final int TITLES_MAX = 3;

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
