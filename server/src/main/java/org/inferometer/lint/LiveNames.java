package org.inferometer.lint;

import java.util.Map;
import java.util.Set;

/**
 * The names of series that there are now.
 *
 * @param source where they were seen, for sentences: "http://gpu1:8000/metrics", "the server"
 * @param what is known of who exposes them: "vLLM 0.8 to 0.9"; "" if nothing is
 * @param complete whether it is all that queries will see, rather than the pages of some targets
 * @param labels the names of labels by the name of the metric; empty sets if they weren't asked for
 */
public record LiveNames(
    String source, String what, boolean complete, Map<String, Set<String>> labels) {
  public LiveNames {
    labels = Map.copyOf(labels);
  }

  /** For sentences: where they were seen, and who exposes them. */
  String described() {
    return what.isEmpty() ? source : source + " (" + what + ")";
  }

  boolean has(String metric) {
    return labels.containsKey(metric);
  }

  /** Whether something with the same beginning is there, up to the first colon or underscore. */
  boolean hasNamespaceOf(String metric) {
    String prefix = namespace(metric);
    return labels.keySet().stream().anyMatch(name -> namespace(name).equals(prefix));
  }

  private static String namespace(String metric) {
    return metric.split("[:_]", 2)[0];
  }
}
