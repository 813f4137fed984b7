package org.inferometer.tsdb.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockMetaTest {
  private static final String ULID = "01ARZ3NDEKTSV4RRFFQ69G5FAV";

  private static BlockMeta read(String json) throws CorruptBlockException {
    return BlockMetaReader.read(json.getBytes(UTF_8), "meta.json");
  }

  private static BlockMeta random(Random random) {
    Ulid ulid = Ulid.of(random.nextLong(1L << 48), random);
    long minMs = random.nextLong(-5, 1L << 45);
    return new BlockMeta(
        ulid,
        minMs,
        minMs + random.nextLong(1L << 40),
        new BlockMeta.Stats(random.nextLong(9), random.nextInt(9), 0, random.nextInt(3)),
        1 + random.nextInt(5),
        random.nextBoolean() ? List.of() : List.of(ulid, new Ulid(1, 2)),
        random.nextBoolean() ? List.of() : List.of(new BlockMeta.Parent(ulid, -3, 7)),
        random.nextBoolean(),
        random.nextBoolean(),
        random.nextBoolean() ? List.of() : List.of(BlockMeta.FROM_OUT_OF_ORDER, "ö\"\n"),
        random.nextBoolean() ? Map.of() : Map.of("thanos", "{\"labels\":{\"a\":[1,2.5,null]}}"));
  }

  @Test
  void toJson_readsBack() throws Exception {
    for (long seed = 0; seed < 200; seed++) {
      BlockMeta meta = random(new Random(seed));
      assertThat(BlockMetaReader.read(meta.toJson(), "x")).as("seed " + seed).isEqualTo(meta);
    }
  }

  @Test
  void read_keepsWhatItDoesntKnow() throws Exception {
    BlockMeta meta =
        read(
            """
            {"ulid": "%s", "minTime": 1, "maxTime": 2, "version": 1,
             "stats": {"numSamples": 3, "numFloatSamples": 3, "other": {"a": []}},
             "compaction": {"level": 2, "sources": null, "more": [1, {}]},
             "thanos": {"labels": {"replica": "a"}, "downsample": {"resolution": 0}}}
            """
                .formatted(ULID));
    assertThat(meta.stats()).isEqualTo(new BlockMeta.Stats(3, 0, 0, 0));
    assertThat(meta.level()).isEqualTo(2);
    assertThat(meta.others())
        .isEqualTo(
            Map.of("thanos", "{\"labels\":{\"replica\":\"a\"},\"downsample\":{\"resolution\":0}}"));
    assertThat(BlockMetaReader.read(meta.withStats(BlockWriter.NO_STATS).toJson(), "x").others())
        .isEqualTo(meta.others());
  }

  @Test
  void read_refusesWhatCantBe() {
    String start = "{\"ulid\":\"" + ULID + "\",\"minTime\":1,";
    for (String json :
        List.of(
            "",
            "[]",
            "{}",
            start + "\"maxTime\":0}",
            start + "\"maxTime\":\"2\"}",
            start + "\"maxTime\":2.5}",
            start + "\"maxTime\":99999999999999999999}",
            start + "\"maxTime\":2,\"version\":2}",
            start + "\"maxTime\":2,\"maxTime\":3}",
            start + "\"maxTime\":2,\"compaction\":{\"sources\":[\"x\"]}}",
            start + "\"maxTime\":2,\"compaction\":{\"parents\":[{}]}}",
            start + "\"maxTime\":2,\"compaction\":{\"failed\":1}}",
            start + "\"maxTime\":2} {}",
            start + "\"maxTime\":2",
            "{\"a\":".repeat(5_000))) {
      assertThatThrownBy(() -> read(json))
          .as(json)
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageStartingWith("meta.json: ");
    }
  }

  @Test
  void read_ofNumberTooLong_tellsTheOffsetInOneLine() {
    String json = "{\"ulid\": \"%s\", \"minTime\": 1000000000000000000000}".formatted(ULID);
    assertThatThrownBy(() -> read(json))
        .isInstanceOf(CorruptBlockException.class)
        .hasMessageStartingWith("meta.json: offset ")
        .hasMessageNotContainingAny("\n", "Source");
  }

  @Test
  void read_ofDamagedBytes() {
    for (long seed = 0; seed < 3_000; seed++) {
      Random random = new Random(seed);
      byte[] bytes = random(random).toJson();
      for (int i = random.nextInt(4); i >= 0; i--) {
        bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
      }
      BlockMetaProperties.check(bytes);
    }
  }

  @Test
  void overlaps_ofNeighbours() {
    BlockMeta first = BlockWriter.ofHead(new Ulid(1, 1), 0, 10, List.of());
    BlockMeta second = BlockWriter.ofHead(new Ulid(1, 2), 10, 20, List.of());
    assertThat(first.overlaps(second)).isFalse();
    assertThat(first.overlaps(BlockWriter.ofHead(new Ulid(1, 3), 9, 20, List.of()))).isTrue();
  }
}
