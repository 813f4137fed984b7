package org.inferometer.diagnosis;

import java.util.LinkedHashSet;
import java.util.Set;
import org.inferometer.diagnosis.world.ReplicaWorld;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.jspecify.annotations.Nullable;

/** What engines tell of their own settings. */
final class Settings {
  private Settings() {}

  /** A setting's value where it is told and the same on all replicas, else null. */
  static @Nullable String today(ServiceWorld service, String setting) {
    Set<String> values = new LinkedHashSet<>();
    for (ReplicaWorld replica : service.replicas()) {
      String value = told(replica, setting);
      if (value != null && !value.isEmpty()) {
        values.add(value);
      }
    }
    return values.size() == 1 ? values.iterator().next() : null;
  }

  private static @Nullable String told(ReplicaWorld replica, String setting) {
    double value = setting.equals("max_num_seqs") ? replica.get("max_running").value() : Double.NaN;
    return Double.isNaN(value) ? null : String.valueOf(Math.round(value));
  }
}
