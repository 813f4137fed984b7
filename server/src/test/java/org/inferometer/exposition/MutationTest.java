package org.inferometer.exposition;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bodies broken at random from fixed seeds: cut off, bytes changed, pieces put elsewhere. */
class MutationTest {
  private static final int MUTANTS = 8000;
  private static final byte[] TELLING = Bodies.bytes("\"\\{}=, \t\n\r#+-.0189_:aeEnNxpI\0\u00e9");

  @Test
  void properties_holdForMutants() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    OracleCase.text().forEach(c -> seeds.add(c.body()));
    OracleCase.openMetrics().forEach(c -> seeds.add(c.body()));
    seeds.add(VllmLikeBody.of(Format.TEXT, 1, 1));
    checkMutants(seeds);
  }

  @Test
  void properties_holdForMutantsOfProtobuf() {
    List<byte[]> seeds = new ArrayList<>(ProtobufPage.seeds());
    seeds.add(VllmLikeBody.of(Format.PROTOBUF, 1, 1));
    checkMutants(seeds);
  }

  private static void checkMutants(List<byte[]> seeds) {
    for (int seed = 0; seed < MUTANTS; seed++) {
      Random random = new Random(seed);
      byte[] body = seeds.get(random.nextInt(seeds.size()));
      for (int i = 1 + random.nextInt(4); i > 0; i--) {
        body = mutate(body, seeds.get(random.nextInt(seeds.size())), random);
      }
      try {
        ExpositionProperties.check(body);
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + Utf8.decode(body, 0, body.length), e);
      }
    }
  }

  private static byte[] mutate(byte[] body, byte[] other, Random random) {
    int at = random.nextInt(body.length + 1);
    return switch (random.nextInt(6)) {
      case 0 -> Arrays.copyOf(body, at);
      case 1 -> splice(body, at, body, at, Math.min(body.length, at + 1 + random.nextInt(8)));
      case 2 -> changed(body, at, (byte) random.nextInt(256));
      case 3 -> changed(body, at, TELLING[random.nextInt(TELLING.length)]);
      case 4 -> splice(body, at, TELLING, random.nextInt(TELLING.length), TELLING.length);
      default -> {
        int from = random.nextInt(other.length + 1);
        yield splice(body, at, other, from, from + random.nextInt(other.length - from + 1));
      }
    };
  }

  private static byte[] changed(byte[] body, int at, byte value) {
    byte[] changed = body.clone();
    if (at < changed.length) {
      changed[at] = value;
    }
    return changed;
  }

  private static byte[] splice(byte[] body, int at, byte[] other, int from, int to) {
    byte[] joined = new byte[body.length + to - from];
    System.arraycopy(body, 0, joined, 0, at);
    System.arraycopy(other, from, joined, at, to - from);
    System.arraycopy(body, at, joined, at + to - from, body.length - at);
    return joined;
  }
}
