package org.inferometer.diagnosis;

import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.inferometer.diagnosis.threshold.Thresholds;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.diagnosis.world.Worlds;
import org.inferometer.signals.Catalogue;
import org.inferometer.signals.Signal;

/**
 * Worlds that no engine makes: any signal has any number, or none, and along its timeline anything.
 * One seed makes one world.
 */
public final class RandomWorlds {
  private static final List<String> SIGNALS =
      Catalogue.builtIn().signals().stream().map(Signal::name).sorted().toList();

  private static final double[] STRANGE = {
    0,
    -0.0,
    1,
    -1,
    0.5,
    Double.NaN,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY,
    Double.MAX_VALUE,
    Double.MIN_VALUE,
    -1e18,
    1e18
  };

  private static final List<String> MODELS =
      List.of("Qwen/Qwen3-32B", "nobody/knows-it", "<script>\u001b[31m\u202e|`*\"'&", "");

  private final Random random;

  /** The diagnosis of a seed's world. */
  public static Diagnosis diagnosis(long seed) {
    return new ServiceDiagnosis(new RandomWorlds(seed).next(3), Thresholds.builtIn())
        .by(Checks.ALL);
  }

  RandomWorlds(long seed) {
    random = new Random(seed);
  }

  /** A world with up to so many of each thing. */
  ServiceWorld next(int most) {
    Worlds worlds =
        switch (random.nextInt(3)) {
          case 0 -> Worlds.vllm();
          case 1 -> Worlds.sglang();
          default -> Worlds.tgi();
        };
    worlds.model(MODELS.get(random.nextInt(MODELS.size())));
    if (random.nextInt(4) == 0) {
      worlds.withoutBaseline();
    }
    double share = random.nextDouble();
    for (String signal : SIGNALS) {
      if (random.nextDouble() < share) {
        worlds.line(signal, number(), number(), numbers());
      }
    }
    int hosts = random.nextInt(most + 1);
    for (int i = 0; i < hosts; i++) {
      worlds.host("host-" + i, things(share));
      worlds.gpu("host-" + i, 0, "replica-" + i, "NVIDIA H100 80GB HBM3", things(share));
      worlds.gpu("host-" + i, 1, "replica-" + i, "no such GPU", things(share));
    }
    int replicas = random.nextInt(most + 1);
    for (int i = 0; i < replicas; i++) {
      String host = i < hosts ? "host-" + i : null;
      worlds.replica("replica-" + i, random.nextInt(3) / 2.0, host, things(share));
    }
    int edges = random.nextInt(3);
    for (int i = 0; i < edges; i++) {
      worlds.gateway("gateway-" + i, things(share));
      worlds.client("client-" + i, things(share));
    }
    return worlds.build();
  }

  private Consumer<Worlds.Things> things(double share) {
    return things -> {
      for (String signal : SIGNALS) {
        if (random.nextDouble() < share) {
          things.line(signal, number(), number(), numbers());
        }
      }
    };
  }

  private double[] numbers() {
    double[] numbers = new double[random.nextInt(4) == 0 ? random.nextInt(4) : 40];
    double level = number();
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextInt(8) == 0 ? number() : level;
    }
    return numbers;
  }

  private double number() {
    return switch (random.nextInt(4)) {
      case 0 -> STRANGE[random.nextInt(STRANGE.length)];
      case 1 -> random.nextDouble();
      case 2 -> random.nextInt(1_000);
      default -> Math.exp(random.nextGaussian() * 5);
    };
  }
}
