package org.inferometer.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.inferometer.io.SimulatedDisk.Kind;
import org.inferometer.io.SimulatedDisk.Loss;
import org.junit.jupiter.api.Test;

final class SimulatedDiskTest {
  private static final Path FOLDER = Path.of("/data");
  private static final Path FILE = FOLDER.resolve("file");
  private static final Path OTHER = FOLDER.resolve("other");

  private final SimulatedDisk disk = new SimulatedDisk(1);
  private final SplittableRandom random = new SplittableRandom(2);

  SimulatedDiskTest() throws IOException {
    disk.createFolders(FOLDER);
    disk.syncFolder(Path.of("/"));
  }

  private static void write(DiskFile out, String text) throws IOException {
    out.write(text.getBytes(UTF_8), 0, text.length());
  }

  private void put(Path file, String text) {
    disk.put(file, text.getBytes(UTF_8));
  }

  private static String read(SimulatedDisk from, Path file) throws IOException {
    return new String(from.read(file, 100_000), UTF_8);
  }

  @Test
  void processKill_keepsAllThatWasWritten() throws IOException {
    try (DiskFile out = disk.create(FILE)) {
      write(out, "text");
      SimulatedDisk after = disk.processKill();
      write(out, " and more");
      assertThat(read(after, FILE)).isEqualTo("text");
      assertThat(after.powerCut(Loss.ALL, random).list(FOLDER)).isEmpty();
    }
  }

  @Test
  void powerCut_keepsWhatIsSynced() throws IOException {
    try (DiskFile out = disk.create(FILE)) {
      write(out, "text");
      out.sync();
      disk.syncFolder(FOLDER);
      write(out, " and more");
    }
    disk.rename(FILE, OTHER);
    assertThat(read(disk.powerCut(Loss.ALL, random), FILE)).isEqualTo("text");
    assertThat(read(disk.powerCut(Loss.BYTES, random), OTHER)).isEqualTo("text");
    assertThat(read(disk.powerCut(Loss.NAMES, random), FILE)).isEqualTo("text and more");
  }

  @Test
  void powerCut_losesNamesThatAreNotSynced() throws IOException {
    try (DiskFile out = disk.create(FILE)) {
      write(out, "text");
      out.sync();
    }
    assertThat(disk.powerCut(Loss.ALL, random).list(FOLDER)).isEmpty();
    disk.syncFolder(FOLDER);
    disk.delete(FILE);
    assertThat(disk.powerCut(Loss.ALL, random).list(FOLDER)).containsExactly("file");
    disk.syncFolder(FOLDER);
    assertThat(disk.powerCut(Loss.ALL, random).list(FOLDER)).isEmpty();
  }

  @Test
  void powerCut_tearsWhatIsNotSynced() throws IOException {
    int page = SimulatedFile.PAGE_BYTES;
    put(FILE, "s".repeat(page / 2));
    try (DiskFile out = disk.append(FILE)) {
      write(out, "u".repeat(3 * page));
    }
    Set<Integer> sizes = new HashSet<>();
    Set<String> ends = new HashSet<>();
    for (int i = 0; i < 400; i++) {
      String text = read(disk.powerCut(random), FILE);
      assertThat(text).matches("s{" + page / 2 + "}[u\0]*");
      sizes.add(text.length());
      ends.add(text.replaceAll("(.)\\1*", "$1"));
    }
    assertThat(sizes).contains(page / 2, page / 2 + 3 * page).hasSizeGreaterThan(100);
    assertThat(ends).contains("s", "su", "s\0", "su\0", "s\0u", "su\0u", "s\0u\0");
  }

  @Test
  void powerCut_movesAFileOrDoesNot() throws IOException {
    put(FILE, "new");
    put(OTHER, "old");
    disk.rename(FILE, OTHER);
    Set<List<String>> seen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      SimulatedDisk after = disk.powerCut(random);
      List<String> names = new ArrayList<>(after.list(FOLDER));
      names.add(read(after, OTHER));
      seen.add(names);
    }
    assertThat(seen)
        .containsExactlyInAnyOrder(List.of("file", "other", "old"), List.of("other", "new"));
  }

  @Test
  void powerCut_isTheSameForTheSameSeed() throws IOException {
    for (int i = 0; i < 20; i++) {
      put(FOLDER.resolve("synced" + i), "x");
      try (DiskFile out = disk.create(FOLDER.resolve("file" + i))) {
        write(out, "y".repeat(9_000));
      }
    }
    SimulatedDisk one = disk.powerCut(new SplittableRandom(7));
    SimulatedDisk same = disk.powerCut(new SplittableRandom(7));
    assertThat(one.files(FOLDER)).isEqualTo(same.files(FOLDER));
    for (Path file : one.files(FOLDER)) {
      assertThat(one.bytes(file)).isEqualTo(same.bytes(file));
    }
  }

  @Test
  void failedSync_losesPagesThatNoLaterSyncBrings() throws IOException {
    int page = SimulatedFile.PAGE_BYTES;
    put(FILE, "");
    disk.fail(DiskFault.of(Kind.SYNC).saying(DiskFault.BROKEN));
    try (DiskFile out = disk.append(FILE)) {
      write(out, "x".repeat(20 * page));
      assertThatIOException().isThrownBy(out::sync).withMessageContaining(DiskFault.BROKEN);
      out.sync();
    }
    assertThat(read(disk, FILE)).isEqualTo("x".repeat(20 * page));
    assertThat(read(disk.powerCut(Loss.ALL, random), FILE))
        .hasSize(20 * page)
        .contains("\0".repeat(page))
        .contains("x".repeat(page));
  }

  @Test
  void fault_strikesAsPlanned() throws IOException {
    DiskFault fault = disk.fail(DiskFault.of(Kind.WRITE).on("other$").after(1).leaving(2));
    try (DiskFile out = disk.create(FILE);
        DiskFile other = disk.create(OTHER)) {
      write(other, "0");
      write(out, "0123");
      assertThatIOException()
          .isThrownBy(() -> write(other, "123"))
          .withMessage("/data/other: " + DiskFault.FULL);
      assertThat(other.size()).isEqualTo(1);
      assertThat(read(disk, OTHER)).isEqualTo("012");
      other.truncate(1);
      write(other, "x");
    }
    assertThat(read(disk, OTHER)).isEqualTo("0x");
    assertThat(fault.failures()).isEqualTo(1);
    assertThat(disk.log()).contains("WRITE /data/other 3 bytes FAILS: " + DiskFault.FULL);
  }

  @Test
  void fullDisk_takesWhatFits() throws IOException {
    put(FILE, "12345");
    disk.limit(8);
    assertThat(disk.freeBytes(FOLDER)).isEqualTo(3);
    try (DiskFile out = disk.append(FILE)) {
      assertThatIOException()
          .isThrownBy(() -> write(out, "6789"))
          .withMessage("/data/file: " + DiskFault.FULL);
      assertThat(read(disk, FILE)).isEqualTo("12345678");
      out.truncate(out.size());
      write(out, "xyz");
      disk.heal();
      write(out, "!");
    }
    assertThat(read(disk, FILE)).isEqualTo("12345xyz!");
  }

  @Test
  void damage_isDone() throws IOException {
    put(FILE, "abc");
    put(OTHER, "abc");
    disk.flipBit(FILE, 9);
    disk.cutOff(OTHER, 1);
    disk.put(FOLDER.resolve("new"), new byte[4]);
    SimulatedDisk after = disk.powerCut(Loss.ALL, random);
    assertThat(read(after, FILE)).isEqualTo("a`c");
    assertThat(read(after, OTHER)).isEqualTo("a");
    disk.lose(OTHER);
    assertThat(disk.list(FOLDER)).containsExactly("file", "new");
  }

  @Test
  void lock_isHeldByOneAndEndsWithTheProcess() throws IOException {
    DiskLock lock = disk.lock(FILE);
    assertThat(lock).isNotNull();
    assertThat(disk.lock(FILE)).isNull();
    assertThat(disk.processKill().lock(FILE)).isNotNull();
    lock.close();
    assertThat(disk.lock(FILE)).isNotNull();
  }

  @Test
  void map_isNotReadAfterItIsClosed() throws IOException {
    put(FILE, "0123456789");
    MappedFile part = disk.map(FILE, 3, 4);
    disk.delete(FILE);
    assertThat(part.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo("3456".getBytes(UTF_8));
    assertThat(disk.openMappings()).isEqualTo(1);
    part.close();
    assertThatThrownBy(() -> part.bytes().get(ValueLayout.JAVA_BYTE, 0))
        .isInstanceOf(IllegalStateException.class);
    assertThat(disk.openMappings()).isZero();
  }

  @Test
  void watcher_seesAMomentBeforeEachOperation() throws IOException {
    List<SimulatedDisk> moments = new ArrayList<>();
    disk.watch(operation -> moments.add(disk.processKill()));
    try (DiskFile out = disk.create(FILE)) {
      write(out, "1");
      write(out, "2");
    }
    assertThat(moments).hasSize(3);
    assertThat(moments.getFirst().list(FOLDER)).isEmpty();
    assertThat(read(moments.getLast(), FILE)).isEqualTo("1");
  }
}
