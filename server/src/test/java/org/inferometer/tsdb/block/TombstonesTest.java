package org.inferometer.tsdb.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.store.SampleColumns;
import org.junit.jupiter.api.Test;

class TombstonesTest {
  private static final Path FOLDER = Path.of("/block");

  @Test
  void with_asASetOfTimes() throws Exception {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      Tombstones tombstones = Tombstones.NONE;
      Set<Long> deleted = new HashSet<>();
      for (int i = random.nextInt(12); i >= 0; i--) {
        long min = random.nextInt(100);
        long max = min + random.nextInt(12);
        tombstones = tombstones.with(7, min, max);
        for (long t = min; t <= max; t++) {
          deleted.add(t);
        }
      }
      assertSame(tombstones, deleted, random);
      assertThat(Tombstones.parse(tombstones.toBytes(), "x").of(7)).isEqualTo(tombstones.of(7));
    }
  }

  private static void assertSame(Tombstones tombstones, Set<Long> deleted, Random random) {
    long[] times = tombstones.of(7);
    for (int i = 1; i < times.length; i++) {
      assertThat(times[i]).isGreaterThanOrEqualTo(times[i - 1] + (i % 2 == 0 ? 2 : 0));
    }
    SampleColumns columns = new SampleColumns();
    columns.add(50, 1); // of another series
    for (long t = 0; t < 120; t++) {
      assertThat(Tombstones.touches(times, t, t)).isEqualTo(deleted.contains(t));
      assertThat(Tombstones.covers(times, t, t)).isEqualTo(deleted.contains(t));
      columns.add(t, (double) t);
    }
    Tombstones.removeFrom(columns, 1, times);
    assertThat(columns.size()).isEqualTo(121 - deleted.size());
    long from = random.nextInt(100);
    long to = from + random.nextInt(20);
    boolean all = true;
    boolean any = false;
    for (long t = from; t <= to; t++) {
      all &= deleted.contains(t);
      any |= deleted.contains(t);
    }
    assertThat(Tombstones.covers(times, from, to)).isEqualTo(all);
    assertThat(Tombstones.touches(times, from, to)).isEqualTo(any);
  }

  @Test
  void with_leavesTheOldOnes() {
    Tombstones first = Tombstones.NONE.with(1, 5, 9);
    Tombstones second = first.with(2, 1, 2).with(1, 20, 30);
    assertThat(first.count()).isEqualTo(1);
    assertThat(second.count()).isEqualTo(3);
    assertThat(second.seriesCount()).isEqualTo(2);
    assertThat(first.of(3)).isEmpty();
  }

  @Test
  void with_theEndsOfTime() {
    Tombstones all = Tombstones.NONE.with(1, 5, Long.MAX_VALUE).with(1, Long.MIN_VALUE, 4);
    assertThat(all.of(1)).containsExactly(Long.MIN_VALUE, Long.MAX_VALUE);
    SampleColumns columns = new SampleColumns();
    columns.add(Long.MAX_VALUE, 1);
    Tombstones.removeFrom(columns, 0, all.of(1));
    assertThat(columns.size()).isZero();
  }

  @Test
  void toBytes_ofOneMark() {
    // 300 is 0xac 0x02; -1 as a varint is 0x01, and 64 is 0x80 0x01.
    String hex = HexFormat.of().formatHex(Tombstones.NONE.with(300, -1, 64).toBytes());
    assertThat(hex).startsWith("0130ba3001" + "ac02" + "01" + "8001").hasSize(2 * (5 + 5 + 4));
    assertThat(HexFormat.of().formatHex(Tombstones.NONE.toBytes())).isEqualTo("0130ba300100000000");
  }

  @Test
  void write_readsBack() throws Exception {
    SimulatedDisk disk = new SimulatedDisk(1);
    disk.createFolders(FOLDER);
    assertThat(Tombstones.read(disk, FOLDER).isEmpty()).isTrue();
    Tombstones.NONE.with(3, 1, 2).write(disk, FOLDER);
    Tombstones.NONE.with(4, 1, 2).write(disk, FOLDER);
    assertThat(Tombstones.read(disk, FOLDER).bySeries()).containsOnlyKeys(4L);
    assertThat(disk.list(FOLDER)).containsExactly("tombstones");
  }

  @Test
  void parse_ofDamagedBytes() {
    Tombstones some = Tombstones.NONE.with(3, 1, 2).with(300, -9, 1L << 60).with(3, 7, 9);
    byte[] bytes = some.toBytes();
    for (int bit = 0; bit < 8 * bytes.length; bit++) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << (bit % 8));
      assertThatThrownBy(() -> Tombstones.parse(damaged, "tombstones"))
          .isInstanceOf(CorruptBlockException.class)
          .hasMessageStartingWith("tombstones: ");
    }
    for (int size = 0; size < bytes.length; size++) {
      byte[] cut = Arrays.copyOf(bytes, size);
      assertThatThrownBy(() -> Tombstones.parse(cut, "tombstones"))
          .isInstanceOf(CorruptBlockException.class);
    }
  }

  @Test
  void parse_ofNonsenseWithARightSum() {
    for (long seed = 0; seed < 2_000; seed++) {
      Random random = new Random(seed);
      byte[] marks = new byte[random.nextInt(60)];
      random.nextBytes(marks);
      TombstonesProperties.check(TombstonesProperties.withSum(marks));
    }
  }
}
