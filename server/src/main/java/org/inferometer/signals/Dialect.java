package org.inferometer.signals;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an engine or exporter exposes signals.
 *
 * @param models labels that name the served model, in order of preference
 * @param hostLabels labels that name the machine
 * @param workloadPodLabels labels that name the pod that uses a GPU, in order of preference
 * @param gpuLabels labels that tell GPUs apart, in order of preference
 * @param identify ways to recognise it, any of which is enough
 * @param versionInfo where it names its release, or null
 * @param covers dialects that a target isn't said to speak as well where it speaks this one
 * @param profile what there is to know beside its signals
 * @param mappings by the base name of the signal; empty if it feeds no signals
 */
record Dialect(
    String id,
    String title,
    ServiceKind kind,
    List<String> models,
    List<String> hostLabels,
    List<String> workloadPodLabels,
    List<String> gpuLabels,
    List<Fingerprint> identify,
    @Nullable VersionInfo versionInfo,
    List<Marker> markers,
    List<String> covers,
    DialectProfile profile,
    Map<String, Mapping> mappings) {
  Dialect {
    models = List.copyOf(models);
    hostLabels = List.copyOf(hostLabels);
    workloadPodLabels = List.copyOf(workloadPodLabels);
    gpuLabels = List.copyOf(gpuLabels);
    identify = List.copyOf(identify);
    markers = List.copyOf(markers);
    covers = List.copyOf(covers);
    mappings = Map.copyOf(mappings);
  }

  /** A series whose label is the release. */
  record VersionInfo(String family, String label) {}

  /** The same with other mappings. */
  Dialect withMappings(Map<String, Mapping> others) {
    return new Dialect(
        id,
        title,
        kind,
        models,
        hostLabels,
        workloadPodLabels,
        gpuLabels,
        identify,
        versionInfo,
        markers,
        covers,
        profile,
        others);
  }

  /** The PromQL of all its signals. */
  List<Template> templates() {
    return mappings.values().stream()
        .flatMap(mapping -> mapping.alternatives().stream())
        .map(Alternative::template)
        .toList();
  }

  boolean isMapped() {
    return !mappings.isEmpty();
  }
}
