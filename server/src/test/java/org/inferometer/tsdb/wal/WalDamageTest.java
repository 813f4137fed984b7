package org.inferometer.tsdb.wal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is read of a log with a fault, how that is told, and what a repair leaves. */
class WalDamageTest {
  private final Path folder = Path.of("/data/wal");
  private final MemoryDisk disk = new MemoryDisk();

  /** The records of all segments, and where each ends in its segment. */
  private final List<String> records = new ArrayList<>();

  private final List<Long> ends = new ArrayList<>();
  private final List<Integer> segments = new ArrayList<>();

  @BeforeEach
  void write() throws IOException {
    RandomRecords random = new RandomRecords(3, 300);
    try (Wal wal = Wal.open(disk, folder, Logs.SMALL)) {
      for (int i = 0; wal.segment() < 3 || i % 10 != 0; i++) {
        WalRecord record = random.next();
        wal.log(List.of(record));
        records.add(Logs.text(record));
        segments.add(wal.segment());
        ends.add(disk.size(segment(wal.segment())));
      }
    }
  }

  private Path segment(int number) {
    return folder.resolve("%08d".formatted(number));
  }

  /** How many records end before an offset of a segment. */
  private int before(int segment, long offset) {
    int count = 0;
    while (count < ends.size()
        && (segments.get(count) < segment
            || (segments.get(count) == segment && ends.get(count) <= offset))) {
      count++;
    }
    return count;
  }

  private MemoryDisk with(int segment, byte[] bytes) throws IOException {
    MemoryDisk other = new MemoryDisk();
    for (String name : disk.list(folder)) {
      other.put(folder.resolve(name), disk.bytes(folder.resolve(name)));
    }
    other.put(segment(segment), bytes);
    return other;
  }

  private static WalDamage damage(Logs.Contents contents) {
    return required(contents.damage());
  }

  private static WalDamage required(@Nullable WalDamage damage) {
    return Objects.requireNonNull(damage, "expected a damage");
  }

  @Test
  void tornTail_losesTheUnfinishedWrite() throws IOException {
    byte[] whole = disk.bytes(segment(3));
    assertThat(whole.length).isGreaterThan(1_000);
    for (int length = 0; length <= whole.length; length += 1 + whole.length / 100) {
      MemoryDisk torn = with(3, Arrays.copyOf(whole, length));
      int kept = before(3, length);
      long end = kept > 0 && segments.get(kept - 1) == 3 ? ends.get(kept - 1) : 0;
      assertTorn(Logs.skim(torn, folder), segment(3), kept, end, length);
    }
  }

  /** Every byte of the end of one page, and of the next. */
  @Test
  void tornPage_losesTheUnfinishedWrite() throws IOException {
    MemoryDisk own = new MemoryDisk();
    List<Long> ownEnds = new ArrayList<>(List.of(0L));
    try (Wal wal = Wal.open(own, folder, Logs.SMALL)) {
      wal.log(List.of(Logs.samples(1, 2_891)));
      while (wal.sizeBytes() < WalOptions.PAGE_BYTES + 1_000) {
        ownEnds.add(wal.sizeBytes());
        wal.log(List.of(Logs.samples(ownEnds.size(), 20)));
      }
      ownEnds.add(wal.sizeBytes());
    }
    byte[] whole = own.bytes(segment(0));
    int kept = 0;
    for (int length = 0; length <= whole.length; length += length < 31_000 ? 499 : 1) {
      while (kept + 1 < ownEnds.size() && ownEnds.get(kept + 1) <= length) {
        kept++;
      }
      own.put(segment(0), Arrays.copyOf(whole, length));
      assertTorn(Logs.skim(own, folder), segment(0), kept, ownEnds.get(kept), length);
    }
    assertThat(kept).isGreaterThan(5);
  }

  private static void assertTorn(
      Logs.Skimmed contents, Path segment, int kept, long end, int length) {
    assertThat(contents.records()).isEqualTo(kept);
    assertThat(contents.damage() == null).isEqualTo(end == length);
    if (end < length) {
      WalDamage damage = required(contents.damage());
      assertThat(damage.isTail()).isTrue();
      assertThat(damage.file()).isEqualTo(segment);
      assertThat(damage.offset()).isEqualTo(end);
      assertThat(damage.lostBytes()).isEqualTo(length - end);
    }
  }

  /** A power cut may leave the length of a file, and zeros for what was written to it. */
  @Test
  void zerosAtTheEnd_areATail() throws IOException {
    byte[] whole = disk.bytes(segment(3));
    for (int from = 0; from + 512 < whole.length; from += 2_048) {
      byte[] bytes = whole.clone();
      Arrays.fill(bytes, from, bytes.length, (byte) 0);
      WalDamage damage = Logs.skim(with(3, bytes), folder).damage();
      assertThat(damage == null || damage.isTail()).as("from %d: %s", from, damage).isTrue();
    }
  }

  @Test
  void bitFlips_areFound() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 250; i++) {
      int segment = random.nextInt(4);
      byte[] bytes = disk.bytes(segment(segment)).clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      MemoryDisk flipped = with(segment, bytes);
      Logs.Skimmed contents = Logs.skim(flipped, folder);
      WalDamage damage = required(contents.damage());
      int kept = before(segment, at);
      assertThat(contents.records()).isEqualTo(kept);
      if (i % 50 == 0) {
        assertThat(Logs.read(flipped, folder).records()).isEqualTo(records.subList(0, kept));
      }
      assertThat(damage.file()).isEqualTo(segment(segment));
      assertThat(damage.offset()).isLessThanOrEqualTo(at);
      assertThat(damage.says()).isNotBlank();
      assertThat(damage.lostBytes()).isEqualTo(contents.size() - contents.readBytes()).isPositive();
      assertThat(segment < 3 && damage.isTail()).isFalse();
    }
  }

  @Test
  void repairOfATail_truncates() throws IOException {
    byte[] whole = disk.bytes(segment(3));
    MemoryDisk torn = with(3, Arrays.copyOf(whole, whole.length - 3));
    Logs.Contents before = Logs.read(torn, folder);
    WalReader.repair(torn, folder, damage(before));
    assertThat(torn.list(folder)).noneMatch(name -> name.endsWith(".corrupt"));
    assertGoesOn(torn, before);
  }

  @Test
  void repairOfADamage_setsTheRestAside() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 15; i++) {
      int segment = random.nextInt(3);
      byte[] bytes = disk.bytes(segment(segment)).clone();
      int at = random.nextInt(bytes.length);
      bytes[at] ^= (byte) (1 << random.nextInt(8));
      MemoryDisk other = with(segment, bytes);
      Logs.Contents before = Logs.read(other, folder);
      WalDamage damage = damage(before);
      WalReader.repair(other, folder, damage);
      byte[] kept = other.bytes(folder.resolve("%08d.corrupt".formatted(segment)));
      assertThat(kept).isEqualTo(Arrays.copyOfRange(bytes, (int) damage.offset(), bytes.length));
      for (int later = segment + 1; later < 4; later++) {
        assertThat(other.bytes(folder.resolve("%08d.corrupt".formatted(later))))
            .isEqualTo(disk.bytes(segment(later)));
      }
      assertGoesOn(other, before);
    }
  }

  @Test
  void repairAgain_keepsEarlierOnes() throws IOException {
    byte[] bytes = disk.bytes(segment(0)).clone();
    bytes[20_000] ^= 1;
    MemoryDisk other = with(0, bytes);
    other.put(folder.resolve("00000000.corrupt"), new byte[] {1});
    WalReader.repair(other, folder, damage(Logs.read(other, folder)));
    assertThat(other.bytes(folder.resolve("00000000.corrupt"))).containsExactly(1);
    assertThat(other.exists(folder.resolve("00000000.2.corrupt"))).isTrue();
  }

  /** After a repair nothing is damaged, and the log can be written on. */
  private void assertGoesOn(MemoryDisk repaired, Logs.Contents before) throws IOException {
    Logs.Contents after = Logs.read(repaired, folder);
    assertThat(after.damage()).isNull();
    assertThat(after.records()).isEqualTo(before.records());
    try (Wal wal = Wal.open(repaired, folder, Logs.SMALL)) {
      wal.log(List.of(Logs.sample(1)));
    }
    List<String> expected = new ArrayList<>(before.records());
    expected.add(Logs.text(Logs.sample(1)));
    Logs.Contents written = Logs.read(repaired, folder);
    assertThat(written.damage()).isNull();
    assertThat(written.records()).isEqualTo(expected);
  }

  @Test
  void missingSegment_isADamage() throws IOException {
    disk.delete(segment(1));
    Logs.Contents contents = Logs.read(disk, folder);
    WalDamage damage = damage(contents);
    assertThat(contents.records()).isEqualTo(records.subList(0, before(0, Long.MAX_VALUE)));
    assertThat(damage.file()).isEqualTo(segment(1));
    assertThat(damage.isTail()).isFalse();
    assertThat(damage.says()).contains("missing");
    assertThat(damage.lostBytes()).isEqualTo(disk.size(segment(2)) + disk.size(segment(3)));
    WalReader.repair(disk, folder, damage);
    assertThat(disk.list(folder))
        .containsExactly("00000000", "00000002.corrupt", "00000003.corrupt");
    assertGoesOn(disk, contents);
  }

  @Test
  void zstd_isNamed() throws IOException {
    byte[] bytes = disk.bytes(segment(0)).clone();
    bytes[0] = (byte) (Fragments.ZSTD | Fragments.WHOLE);
    WalDamage damage = damage(Logs.read(with(0, bytes), folder));
    assertThat(damage.says()).contains("zstd compression, which isn't supported");
    assertThat(damage.isForeign()).as("a flipped bit").isFalse();
  }

  @Test
  void hugeRecords_areRefused() throws IOException {
    MemoryDisk other = new MemoryDisk();
    byte[] block = new byte[8];
    Arrays.fill(block, 0, 4, (byte) 0xff);
    block[4] = 7;
    other.put(segment(0), WalFuzz.fragment(Fragments.WHOLE | Fragments.SNAPPY, block));
    assertThat(damage(Logs.read(other, folder)).says()).contains("a length of at most");
  }

  /** As the fuzzer does, with a seed. */
  @Test
  void anySegments_areReadAndRepaired() throws IOException {
    Random random = new Random(1);
    for (int i = 0; i < 600; i++) {
      byte[] first = new byte[random.nextInt(300)];
      random.nextBytes(first);
      if (i % 2 == 0 && first.length > 0) {
        first[0] = (byte) (1 + random.nextInt(10));
        first = WalFuzz.fragment(Fragments.WHOLE | (i % 4) << 2, first);
      }
      byte[] second = i % 3 == 0 ? new byte[0] : disk.bytes(segment(i % 4));
      WalFuzz.check(first, Arrays.copyOf(second, Math.min(2_000, second.length)));
    }
  }

  @Test
  void fileThatWentAway_isNoDamage() throws IOException {
    try (WalReader in = WalReader.open(disk, folder)) {
      in.next();
      disk.delete(segment(1));
      assertThatIOException()
          .isThrownBy(
              () -> {
                while (in.next() != null) {
                  // On to the end.
                }
              })
          .withMessageContaining("00000001");
    }
  }
}
