package org.inferometer.benchmarks.tsdb;

import java.util.List;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;
import org.inferometer.store.Querier;
import org.inferometer.store.Series;

/** The series that reading is measured on, in a head and in a block: buckets of replicas. */
final class Buckets {
  private Buckets() {}

  static Labels labels(String metric, int replica, int bucket) {
    return Labels.of(
        "__name__",
        metric,
        "instance",
        "10.0.0." + replica + ":8000",
        "le",
        bucket + ".0",
        "job",
        "vllm",
        "model_name",
        "meta-llama/Llama-3.1-70B-Instruct",
        "engine",
        "0");
  }

  /** Those with the metric {@code bucket}: half of all, if there is one other. */
  static List<Series> select(Querier querier) {
    return querier.select(
        List.of(
            Matcher.equal("__name__", "bucket"), new Matcher(Matcher.Type.REGEX, "job", "v.*")));
  }
}
