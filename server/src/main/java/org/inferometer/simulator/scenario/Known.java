package org.inferometer.simulator.scenario;

import java.util.ArrayList;
import java.util.List;
import org.inferometer.hardware.Hardware;
import org.inferometer.model.Version;
import org.inferometer.simulator.scenario.Scenario.EngineKind;
import org.jspecify.annotations.Nullable;

/** What scenarios may name: models, GPUs, releases of engines. */
final class Known {
  private static final Hardware GPUS = Hardware.builtIn();

  private Known() {}

  /** The first and last release of an engine whose behaviour and page are known. */
  private record Releases(Version first, Version last) {
    private static Releases of(EngineKind engine) {
      return switch (engine) {
        case VLLM -> new Releases(Version.parse("0.8"), Version.parse("0.31"));
        case SGLANG -> new Releases(Version.parse("0.4"), Version.parse("0.5"));
        case TGI -> new Releases(Version.parse("2"), Version.parse("3"));
      };
    }
  }

  /** What is wrong with a release, or null. */
  static @Nullable String problemWith(EngineKind engine, Version release) {
    Releases known = Releases.of(engine);
    boolean isKnown = !known.first().isAfter(release) && !release.isAfter(known.last());
    return isKnown
        ? null
        : "expected a release from " + known.first() + " to " + known.last() + ", not " + release;
  }

  static boolean isModel(String id) {
    return id.matches("[a-z0-9][a-z0-9.-]{0,60}");
  }

  /** What a model is called by its maker, which servers call it by default. */
  static String modelName(String id) {
    return id;
  }

  static List<String> gpus() {
    List<String> ids = new ArrayList<>();
    GPUS.gpus().forEach(gpu -> ids.add(gpu.id()));
    return ids;
  }
}
