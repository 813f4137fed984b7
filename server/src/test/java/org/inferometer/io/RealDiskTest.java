package org.inferometer.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RealDiskTest {
  private final Disk disk = Disk.real();

  @TempDir private Path folder;

  private Path write(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    disk.createFolders(requireNonNull(file.getParent()));
    try (DiskFile out = disk.create(file)) {
      out.write(text.getBytes(UTF_8), 0, text.length());
    }
    return file;
  }

  private String read(Path file) throws IOException {
    return new String(disk.read(file, 1_000), UTF_8);
  }

  @Test
  void list_sortsNamesAndHasNoneForAMissingFolder() throws IOException {
    write("b", "");
    write("a/inner", "");
    write("c", "");
    assertThat(disk.list(folder)).containsExactly("a", "b", "c");
    assertThat(disk.list(folder.resolve("none"))).isEmpty();
    assertThatIOException()
        .isThrownBy(() -> disk.list(folder.resolve("b")))
        .withMessageContaining("b: expected a folder");
  }

  @Test
  void createFolders_whereALinkLeadsNowhere_saysSo() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
    assertThatIOException()
        .isThrownBy(() -> disk.createFolders(link))
        .withMessageContaining("link: something is there already");
  }

  @Test
  void create_emptiesAFileThatIsThere() throws IOException {
    Path file = write("file", "long text");
    write("file", "x");
    assertThat(read(file)).isEqualTo("x");
  }

  @Test
  void append_goesOnAtTheEnd() throws IOException {
    Path file = write("file", "one");
    try (DiskFile out = disk.append(file)) {
      assertThat(out.size()).isEqualTo(3);
      out.write("-two-".getBytes(UTF_8), 1, 3);
      assertThat(out.size()).isEqualTo(6);
      out.overwrite(0, "O".getBytes(UTF_8));
      out.write("!".getBytes(UTF_8), 0, 1);
      out.sync();
    }
    assertThat(read(file)).isEqualTo("Onetwo!");
  }

  @Test
  void append_makesNoFile() {
    Path file = folder.resolve("none");
    assertThatIOException().isThrownBy(() -> disk.append(file)).withMessageContaining("none");
    assertThat(disk.exists(file)).isFalse();
  }

  @Test
  void truncate_setsTheEnd() throws IOException {
    Path file = write("file", "0123456789");
    try (DiskFile out = disk.append(file)) {
      out.truncate(4);
      out.write("x".getBytes(UTF_8), 0, 1);
      assertThat(out.size()).isEqualTo(5);
    }
    assertThat(read(file)).isEqualTo("0123x");
    assertThat(disk.size(file)).isEqualTo(5);
  }

  @Test
  void rename_replacesAFile() throws IOException {
    Path from = write("from", "new");
    Path to = write("to", "old");
    disk.rename(from, to);
    disk.syncFolder(folder);
    assertThat(read(to)).isEqualTo("new");
    assertThat(disk.exists(from)).isFalse();
  }

  @Test
  void delete_takesAWholeTree() throws IOException {
    write("tree/a/b/file", "x");
    write("tree/file", "x");
    disk.delete(folder.resolve("tree"));
    assertThat(disk.list(folder)).isEmpty();
    disk.delete(folder.resolve("tree"));
  }

  @Test
  void delete_leavesWhatLinksLeadTo() throws IOException {
    Path kept = write("kept/file", "x");
    Path tree = folder.resolve("tree");
    write("tree/file", "x");
    Files.createSymbolicLink(tree.resolve("link"), folder.resolve("kept"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("kept"));
    Path dangling = Files.createSymbolicLink(folder.resolve("dangling"), folder.resolve("none"));
    disk.delete(tree);
    disk.delete(link);
    disk.delete(dangling);
    assertThat(disk.list(folder)).containsExactly("kept");
    assertThat(read(kept)).isEqualTo("x");
  }

  @Test
  void lock_isHeldByOne() throws IOException {
    Path file = folder.resolve("lock");
    Path sameFile = folder.resolve("other/../lock");
    DiskLock lock = disk.lock(file);
    assertThat(lock).isNotNull();
    assertThat(disk.lock(file)).isNull();
    assertThat(disk.lock(sameFile)).isNull();
    assertThat(isLockedForOthers(file)).isTrue();
    lock.close();
    assertThat(isLockedForOthers(file)).isFalse();
    DiskLock again = disk.lock(file);
    assertThat(again).isNotNull();
    again.close();
  }

  /** Asks the kernel's table of locks, which tells the inode. */
  private static boolean isLockedForOthers(Path file) throws IOException {
    Path table = Path.of("/proc/locks");
    if (!Files.exists(table)) {
      return true;
    }
    String inode = ":" + Files.getAttribute(file, "unix:ino") + " ";
    return Files.readString(table).contains(inode);
  }

  @Test
  void map_givesAPart() throws IOException {
    Path file = write("file", "0123456789");
    try (MappedFile part = disk.map(file, 3, 4)) {
      assertThat(part.bytes().toArray(ValueLayout.JAVA_BYTE)).isEqualTo("3456".getBytes(UTF_8));
      assertThat(part.bytes().isReadOnly()).isTrue();
    }
    try (MappedFile all = disk.map(file)) {
      assertThat(all.bytes().byteSize()).isEqualTo(10);
    }
    try (MappedFile none = disk.map(write("empty", ""))) {
      assertThat(none.bytes().byteSize()).isZero();
    }
  }

  @Test
  void map_ofMoreThanThereIsFails() throws IOException {
    Path file = write("file", "0123456789");
    assertThatIOException()
        .isThrownBy(() -> disk.map(file, 8, 3))
        .withMessageEndingWith("file: expected 3 bytes at 8, it has 10");
    assertThatIOException().isThrownBy(() -> disk.map(file, 0, Long.MAX_VALUE));
    assertThatIOException().isThrownBy(() -> disk.map(file, Long.MAX_VALUE, 1));
    assertThat(disk.size(file)).isEqualTo(10);
  }

  @Test
  void map_outlivesItsFile() throws IOException {
    Path file = write("file", "0123456789");
    try (MappedFile all = disk.map(file)) {
      disk.delete(file);
      assertThat(all.bytes().get(ValueLayout.JAVA_BYTE, 9)).isEqualTo((byte) '9');
    }
  }

  @Test
  void read_hasALimit() throws IOException {
    Path file = write("file", "0123456789");
    assertThat(disk.read(file, 10)).hasSize(10);
    assertThatIOException()
        .isThrownBy(() -> disk.read(file, 9))
        .withMessageEndingWith("file: expected at most 9 bytes, found 10");
    // Says that it is empty, and isn't.
    Path special = Path.of("/proc/self/maps");
    if (Files.exists(special)) {
      assertThatIOException()
          .isThrownBy(() -> disk.read(special, 9))
          .withMessage("/proc/self/maps: expected at most 9 bytes");
    }
  }

  @Test
  void failures_nameThePath() throws IOException {
    Path none = folder.resolve("none");
    Path inNone = none.resolve("file");
    String path = none.toString();
    assertThatIOException().isThrownBy(() -> disk.size(none)).withMessageContaining(path);
    assertThatIOException().isThrownBy(() -> disk.read(none, 9)).withMessageContaining(path);
    assertThatIOException().isThrownBy(() -> disk.map(none, 0, 1)).withMessageContaining(path);
    assertThatIOException().isThrownBy(() -> disk.create(inNone)).withMessageContaining(path);
    assertThatIOException().isThrownBy(() -> disk.rename(none, inNone)).withMessageContaining(path);
    assertThatIOException().isThrownBy(() -> disk.syncFolder(none)).withMessageContaining(path);
    assertThatIOException().isThrownBy(() -> disk.lock(inNone)).withMessageContaining(path);
    assertThatIOException()
        .isThrownBy(() -> disk.size(none))
        .isInstanceOf(NoSuchFileException.class)
        .withMessage(none + ": there is no such file or folder");
    DiskFile closed = disk.create(folder.resolve("closed"));
    closed.close();
    assertThatIOException()
        .isThrownBy(() -> closed.write(new byte[1], 0, 1))
        .withMessageContaining(folder.resolve("closed").toString());
  }

  @Test
  void fullDevice_isToldWithItsPath() throws IOException {
    Path full = Path.of("/dev/full");
    if (!Files.isWritable(full)) {
      return;
    }
    try (DiskFile out = disk.append(full)) {
      assertThatIOException()
          .isThrownBy(() -> out.write(new byte[1], 0, 1))
          .withMessageStartingWith("/dev/full: ")
          .withMessageContaining(DiskFault.FULL);
      assertThat(out.size()).isZero();
    }
  }

  @Test
  void interrupt_breaksNothing() throws IOException {
    Path file = folder.resolve("file");
    Thread.currentThread().interrupt();
    try (DiskFile out = disk.create(file)) {
      out.write("0123".getBytes(UTF_8), 0, 4);
      out.overwrite(1, "x".getBytes(UTF_8));
      out.truncate(3);
      out.sync();
      disk.syncFolder(folder);
      requireNonNull(disk.lock(folder.resolve("lock"))).close();
      try (MappedFile mapped = disk.map(file)) {
        assertThat(mapped.bytes().byteSize()).isEqualTo(3);
      }
      assertThat(read(file)).isEqualTo("0x2");
      assertThat(disk.list(folder)).containsExactly("file", "lock");
      disk.rename(file, folder.resolve("other"));
      disk.delete(folder.resolve("other"));
      assertThat(disk.freeBytes(folder)).isPositive();
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}
