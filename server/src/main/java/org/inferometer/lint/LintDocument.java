package org.inferometer.lint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What was found in a file. Not thread-safe. */
final class LintDocument {
  private final SourceFile file;
  private final List<LintQuery> queries = new ArrayList<>();
  private final Set<String> recorded = new LinkedHashSet<>();
  private final Set<String> notes = new LinkedHashSet<>();
  private final Map<String, Integer> otherLanguages = new LinkedHashMap<>();
  private @Nullable String scrapeInterval;
  private boolean template;

  LintDocument(SourceFile file) {
    this.file = file;
  }

  SourceFile file() {
    return file;
  }

  List<LintQuery> queries() {
    return queries;
  }

  /** Names that the file itself gives to series. */
  Set<String> recorded() {
    return recorded;
  }

  /** What can't be judged, in sentences. */
  List<String> notes() {
    List<String> all = new ArrayList<>(notes);
    otherLanguages.forEach(
        (type, count) ->
            all.add(
                count
                    + (count == 1 ? " query" : " queries")
                    + " for "
                    + type
                    + " not read: no PromQL"));
    return all;
  }

  /** The interval of a Prometheus configuration, null if the file isn't one. */
  @Nullable String scrapeInterval() {
    return scrapeInterval;
  }

  /** Whether it has to be rendered before it means anything. */
  boolean isTemplate() {
    return template;
  }

  void add(LintQuery query) {
    if (!query.expr().text().isBlank()) {
      queries.add(query);
    }
  }

  void record(String name) {
    recorded.add(name);
  }

  void note(String sentence) {
    notes.add(sentence);
  }

  void otherLanguage(String type) {
    otherLanguages.merge(type, 1, Integer::sum);
  }

  void scrapeInterval(String interval) {
    scrapeInterval = interval;
  }

  void template() {
    template = true;
  }
}
