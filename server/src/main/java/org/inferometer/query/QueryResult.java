package org.inferometer.query;

import java.util.List;

/**
 * A value and what there is to say about how it came to be.
 *
 * @param warnings texts as the HTTP API shows them, {@code PromQL warning: ... (line:column)}
 * @param infos likewise, {@code PromQL info: ...}
 */
public record QueryResult(QueryValue value, List<String> warnings, List<String> infos) {
  public QueryResult {
    warnings = List.copyOf(warnings);
    infos = List.copyOf(infos);
  }
}
