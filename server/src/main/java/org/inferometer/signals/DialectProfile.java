package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What there is to know of an engine or exporter beside its signals.
 *
 * @param port where it serves its metrics by default, null if there is no such port
 * @param path where it serves them, such as {@code /metrics}
 * @param enable what has to be set for it to serve them, null if it always does
 * @param copies labels whose series repeat one thing, such as {@code tp_rank}: never to be summed
 * @param settings what tells flags and sizes
 */
public record DialectProfile(
    String id,
    String title,
    ServiceKind kind,
    @Nullable Integer port,
    String path,
    @Nullable String enable,
    List<String> copies,
    List<Facet> facets,
    List<Trap> traps,
    List<BucketOption> buckets,
    List<SettingSource> settings) {
  /** A profile that tells no settings. */
  public DialectProfile(
      String id,
      String title,
      ServiceKind kind,
      @Nullable Integer port,
      String path,
      @Nullable String enable,
      List<String> copies,
      List<Facet> facets,
      List<Trap> traps,
      List<BucketOption> buckets) {
    this(id, title, kind, port, path, enable, copies, facets, traps, buckets, List.of());
  }

  public DialectProfile {
    copies = List.copyOf(copies);
    facets = List.copyOf(facets);
    traps = List.copyOf(traps);
    buckets = List.copyOf(buckets);
    settings = List.copyOf(settings);
  }
}
