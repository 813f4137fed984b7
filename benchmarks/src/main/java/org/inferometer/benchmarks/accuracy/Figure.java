package org.inferometer.benchmarks.accuracy;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What is compared. */
enum Figure {
  TTFT_MEAN("TTFT mean", "s"),
  TTFT_P90("TTFT P90", "s"),
  TTFT_P99("TTFT P99", "s"),
  TPOT_MEAN("TPOT mean", "s"),
  E2E_MEAN("E2E mean", "s"),
  E2E_P99("E2E P99", "s"),
  REQUESTS_RATE("requests", "/s"),
  OUTPUT_RATE("output", "tokens/s"),
  RUNNING("running", ""),
  WAITING_GROWTH("waiting grows by", "/s"),
  KV_USAGE("KV usage", ""),
  SM_CLOCK("SM clock", "MHz"),
  POWER("power", "W"),
  TEMPERATURE("temperature", "degrees"),
  KV_TOKENS("KV cache", "tokens");

  private final String title;
  private final String unit;

  Figure(String title, String unit) {
    this.title = title;
    this.unit = unit;
  }

  String title() {
    return title;
  }

  String unit() {
    return unit;
  }

  static @Nullable Figure find(String name) {
    for (Figure figure : values()) {
      if (figure.name().toLowerCase(Locale.ROOT).equals(name)) {
        return figure;
      }
    }
    return null;
  }
}
