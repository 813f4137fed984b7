package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SeriesTextIndexTest {
  private static int find(SeriesTextIndex index, String text, int flags) {
    byte[] padded = Bodies.bytes("##" + text + "##");
    return index.find(padded, 2, padded.length - 2, flags);
  }

  private static int add(SeriesTextIndex index, String text, int flags) {
    byte[] padded = Bodies.bytes("##" + text + "##");
    return index.add(padded, 2, padded.length - 2, flags);
  }

  @Test
  void find_byTextAndFlags() {
    SeriesTextIndex index = new SeriesTextIndex(10, 1000, 1);
    assertThat(find(index, "a", 0)).isEqualTo(SeriesTextIndex.NONE);
    int a = add(index, "a", 0);
    int histogram = add(index, "a", 1);
    assertThat(find(index, "a", 0)).isEqualTo(a);
    assertThat(find(index, "a", 1)).isEqualTo(histogram).isNotEqualTo(a);
    assertThat(find(index, "a", 2)).isEqualTo(SeriesTextIndex.NONE);
    assertThat(index.text(a)).isEqualTo("a");
    assertThat(index.size()).isEqualTo(2);
    assertThat(index.textBytes()).isEqualTo(2);
    assertThatThrownBy(() -> add(index, "a", 0)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void see_tellsWhetherItIsTheFirstTime() {
    SeriesTextIndex index = new SeriesTextIndex(10, 1000, 1);
    int id = add(index, "a", 0);
    assertThat(index.see(id, 7)).isTrue();
    assertThat(index.see(id, 7)).isFalse();
    assertThat(index.see(id, 8)).isTrue();
    assertThat(index.seen(id)).isEqualTo(8);
  }

  @Test
  void unseen_areRemoved_theirIdsGivenAgain() {
    SeriesTextIndex index = new SeriesTextIndex(10, 1000, 1);
    int old = add(index, "old", 0);
    int current = add(index, "current", 0);
    index.setValue(old, 11);
    index.see(old, 1);
    index.see(current, 2);
    List<Long> removed = new ArrayList<>();
    assertThat(index.removeUnseenSince(2, id -> removed.add(index.value(id)))).isEqualTo(1);
    assertThat(removed).containsExactly(11L);
    assertThat(find(index, "old", 0)).isEqualTo(SeriesTextIndex.NONE);
    assertThat(find(index, "current", 0)).isEqualTo(current);
    int again = add(index, "new", 0);
    assertThat(again).isEqualTo(old);
    assertThat(index.value(again)).isZero();
    assertThat(index.see(again, 1)).isTrue();
    assertThat(index.idLimit()).isEqualTo(2);
  }

  @Test
  void limits_areKept() {
    SeriesTextIndex index = new SeriesTextIndex(2, 10, 1);
    assertThat(add(index, "12345678901", 0)).isEqualTo(SeriesTextIndex.NONE);
    assertThat(add(index, "12345", 0)).isNotNegative();
    assertThat(add(index, "123456", 0)).isEqualTo(SeriesTextIndex.NONE);
    assertThat(add(index, "1234", 0)).isNotNegative();
    assertThat(add(index, "", 0)).as("third series").isEqualTo(SeriesTextIndex.NONE);
    assertThatThrownBy(() -> new SeriesTextIndex(0, 1, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> add(new SeriesTextIndex(1, 9, 1), "a", 200))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void clear_forgetsAll() {
    SeriesTextIndex index = new SeriesTextIndex(10, 1000, 1);
    add(index, "a", 0);
    index.clear();
    assertThat(index.size()).isZero();
    assertThat(index.textBytes()).isZero();
    assertThat(find(index, "a", 0)).isEqualTo(SeriesTextIndex.NONE);
    assertThat(add(index, "a", 0)).isZero();
  }

  /** Against a map of the JDK; the masks on hashes make few, many, and nothing but collisions. */
  @ParameterizedTest
  @ValueSource(ints = {-1, 0xff, 0})
  void likeAMap(int hashMask) {
    Random random = new Random(hashMask);
    SeriesTextIndex index = new SeriesTextIndex(300, 4000, 42, hashMask);
    Map<String, Long> model = new HashMap<>();
    Map<String, Long> seen = new HashMap<>();
    for (int generation = 0; generation < 300; generation++) {
      for (int step = 0; step < 40; step++) {
        String text = "s".repeat(random.nextInt(30)) + random.nextInt(20);
        int id = find(index, text, 0);
        assertThat(id >= 0).isEqualTo(model.containsKey(text));
        if (id < 0) {
          int length = model.keySet().stream().mapToInt(String::length).sum();
          boolean fits = model.size() < 300 && length + text.length() <= 4000;
          id = add(index, text, 0);
          assertThat(id >= 0).isEqualTo(fits);
        }
        if (id >= 0) {
          long value = random.nextLong();
          index.setValue(id, value);
          index.see(id, generation);
          model.put(text, value);
          seen.put(text, (long) generation);
        }
      }
      if (random.nextInt(4) == 0) {
        int since = generation - random.nextInt(6);
        int removed = index.removeUnseenSince(since, id -> {});
        int before = model.size();
        model.keySet().removeIf(text -> seen.getOrDefault(text, 0L) < since);
        assertThat(removed).isEqualTo(before - model.size());
      }
      checkEqual(index, model);
    }
  }

  private static void checkEqual(SeriesTextIndex index, Map<String, Long> model) {
    Map<String, Long> content = new TreeMap<>();
    index.forEach(id -> content.put(index.text(id), index.value(id)));
    assertThat(content).isEqualTo(model);
    assertThat(index.size()).isEqualTo(model.size());
    assertThat(index.textBytes()).isEqualTo(model.keySet().stream().mapToInt(String::length).sum());
  }

  @Test
  void growth_toManySeries_andBack() {
    SeriesTextIndex index = new SeriesTextIndex(1 << 20, 1 << 28, 5);
    for (int i = 0; i < 100_000; i++) {
      int id = add(index, "metric{instance=\"" + i + "\"}", i % 3);
      index.setValue(id, i);
      index.see(id, i % 1000 == 0 ? 2 : 1);
    }
    for (int i = 0; i < 100_000; i++) {
      assertThat(index.value(find(index, "metric{instance=\"" + i + "\"}", i % 3))).isEqualTo(i);
    }
    assertThat(index.removeUnseenSince(2, id -> {})).isEqualTo(99_900);
    assertThat(index.value(find(index, "metric{instance=\"7000\"}", 7000 % 3))).isEqualTo(7000);
    assertThat(index.textBytes()).isLessThan(3000);
  }
}
