package org.inferometer.simulator.scenario;

import java.util.List;
import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.hardware.Models;
import org.inferometer.model.Version;
import org.inferometer.simulator.scenario.Scenario.EngineKind;
import org.jspecify.annotations.Nullable;

/** What scenarios may name: models, GPUs, releases of engines. */
final class Known {
  private static final Hardware GPUS = Hardware.builtIn();
  private static final Models MODELS = Models.builtIn();

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
    return models().contains(id);
  }

  static List<String> models() {
    return MODELS.models().stream().map(ModelShape::id).toList();
  }

  /** What a model is called by its maker, which servers call it by default. */
  static String modelName(String id) {
    ModelShape model = MODELS.find(id);
    return model == null ? id : model.name();
  }

  static List<String> gpus() {
    return GPUS.gpus().stream().map(Hardware.Gpu::id).toList();
  }
}
