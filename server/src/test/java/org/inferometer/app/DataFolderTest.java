package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.inferometer.app.DataFolder.Beside;
import org.inferometer.app.DataFolder.Kind;
import org.inferometer.io.Disk;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataFolderTest {
  private static final String ULID = "01JA3V6Y3T8M2Q4N5W7X9Z0BCD";

  @TempDir Path folder;

  private DataFolder look() throws Exception {
    return DataFolder.look(Disk.real(), folder);
  }

  private void file(String name, int bytes) throws Exception {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[bytes]);
  }

  @Test
  void names_sayWhatThingsAre() throws Exception {
    file(ULID + "/meta.json", 1);
    file("wal/00000000", 10);
    file("wal/checkpoint.00000003/00000000", 5);
    file(ULID + ".corrupt/index", 7);
    file(ULID + ".tmp-for-creation/index", 8);
    file("lock", 1);
    file("notes.txt", 2);
    assertThat(look().blocks()).containsExactly(folder.resolve(ULID));
    assertThat(look().beside())
        .containsExactly(
            new Beside(ULID + ".corrupt", Kind.CORRUPT, 1, 7),
            new Beside(ULID + ".tmp-for-creation", Kind.LEFTOVER, 1, 8),
            new Beside("lock", Kind.SERVER, 1, 1),
            new Beside("notes.txt", Kind.UNKNOWN, 1, 2),
            new Beside("wal", Kind.HEAD, 2, 15));
  }

  @Test
  void whatIsNoDataDirectory_isRefused() throws Exception {
    assertThatThrownBy(this::look).hasMessageEndingWith(", found nothing");
    file("a", 0);
    assertThatThrownBy(this::look)
        .isInstanceOf(CommandException.class)
        .hasMessageStartingWith(folder + ": expected a data directory (")
        .hasMessageEndingWith(", found a");
    assertThatThrownBy(() -> DataFolder.lookOrNew(Disk.real(), folder))
        .hasMessageContaining("found");
    assertThatThrownBy(() -> DataFolder.look(Disk.real(), folder.resolve("a")))
        .hasMessage(folder.resolve("a") + ": expected a data directory, found a file");
    assertThatThrownBy(() -> DataFolder.look(Disk.real(), folder.resolve("b")))
        .hasMessage(folder.resolve("b") + ": no such folder");
    file("meta.json", 0);
    assertThatThrownBy(this::look).hasMessageContaining("this is a block; expected the data");
  }

  @Test
  void newFolder_mayBecomeADataDirectory() throws Exception {
    file("lock", 0);
    assertThat(DataFolder.lookOrNew(Disk.real(), folder).blocks()).isEmpty();
  }
}
