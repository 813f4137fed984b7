package org.inferometer.signals;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What no page of metrics tells and some signals need; told by users, once for each model. */
public enum Fact {
  /** GPUs that serve the model, all replicas together. */
  GPUS("the number of GPUs that serve the model, all replicas together"),
  /** Price of one GPU for an hour, in any currency. */
  GPU_HOUR_COST("the price of one GPU for an hour"),
  /** Bytes of KV cache that one token takes. */
  KV_BYTES_PER_TOKEN("the bytes of KV cache that one token takes"),
  /** Requests that one engine runs at once at most. */
  MAX_NUM_SEQS("the number of requests that one engine runs at once at most"),
  /** Operations in a second that one GPU can do, without sparsity. */
  PEAK_FLOPS("the operations in a second that one GPU can do", "gpu_type"),
  /** Bytes in a second that one GPU can read from its memory. */
  PEAK_MEMORY_BANDWIDTH("the bytes in a second that one GPU can read from its memory", "gpu_type");

  /** The section of the config in which facts are told, by model. */
  public static final String SECTION = "inferometer.deployments";

  private final String words;
  private final @Nullable String setting;

  Fact(String words) {
    this(words, null);
  }

  Fact(String words, @Nullable String setting) {
    this.words = words;
    this.setting = setting;
  }

  /** As configs and templates write it: {@code gpu_hour_cost}. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** For sentences: "the price of one GPU for an hour". */
  public String words() {
    return words;
  }

  /** What to do so that it is known. */
  String fix() {
    return "Set " + (setting == null ? key() : setting) + " under " + SECTION + ".";
  }

  /** The fact with a key, null if there is none. */
  public static @Nullable Fact find(String key) {
    for (Fact fact : values()) {
      if (fact.key().equals(key)) {
        return fact;
      }
    }
    return null;
  }
}
