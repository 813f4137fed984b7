package org.inferometer.signals;

import java.util.List;
import org.inferometer.model.Labels;
import org.jspecify.annotations.Nullable;

/**
 * How the series of a dialect name a GPU: labels in order of preference.
 *
 * @param index its number on the machine
 * @param uuid what names it everywhere
 * @param instance the part of a split GPU
 * @param profile the size of that part
 * @param pod the pod that uses it
 * @param rows queries that give a series with these labels for each GPU and each part
 */
record GpuNames(
    List<String> index,
    List<String> uuid,
    List<String> model,
    List<String> instance,
    List<String> profile,
    List<String> host,
    List<String> pod,
    List<Template> rows) {
  GpuNames {
    index = List.copyOf(index);
    uuid = List.copyOf(uuid);
    model = List.copyOf(model);
    instance = List.copyOf(instance);
    profile = List.copyOf(profile);
    host = List.copyOf(host);
    pod = List.copyOf(pod);
    rows = List.copyOf(rows);
  }

  /** Which GPU, or part of one, a series is of. */
  record Id(@Nullable String uuid, @Nullable String index, @Nullable String instance) {
    /** Whether what another series says holds for this one too: the whole's holds for its parts. */
    boolean isWithin(Id other) {
      boolean same =
          (uuid != null && other.uuid() != null)
              ? uuid.equals(other.uuid())
              : (index != null && index.equals(other.index()));
      boolean whole = other.instance() == null || other.instance().equals(instance);
      return same && whole;
    }

    /** The whole GPU, of which this may be a part. */
    Id whole() {
      return new Id(uuid, index, null);
    }

    /** What to call the GPU. */
    String name() {
      return index != null ? index : String.valueOf(uuid);
    }
  }

  Id id(Labels labels) {
    return new Id(first(labels, uuid), first(labels, index), first(labels, instance));
  }

  static @Nullable String first(Labels labels, List<String> names) {
    return names.stream().map(labels::get).filter(v -> !v.isEmpty()).findFirst().orElse(null);
  }
}
