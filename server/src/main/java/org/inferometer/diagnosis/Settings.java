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

  /** A flag's value in the words of the engine at hand; NaN if it isn't told or no number. */
  static double number(ServiceWorld service, String flag) {
    Flags.OfEngine own = Flags.builtIn().get(flag).of(service.service().engine().id());
    String setting = own == null ? null : own.setting();
    String today = setting == null ? null : today(service, setting);
    try {
      return today == null ? Double.NaN : Double.parseDouble(today);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  /** The engine's word, or the limit of its batch as a signal where that alone is known. */
  private static @Nullable String told(ReplicaWorld replica, String setting) {
    String told = replica.settings().get(setting);
    double running =
        setting.equals("max_num_seqs") ? replica.get("max_running").value() : Double.NaN;
    return told != null || Double.isNaN(running) ? told : String.valueOf(Math.round(running));
  }
}
