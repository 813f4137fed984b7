package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.store.Querier;
import org.inferometer.tsdb.block.BlockMeta;
import org.jspecify.annotations.Nullable;

/**
 * The files of a store, damaged one by one. What the damage can't have touched must be there,
 * nothing that is there may be wrong, what is missing must be told, and the store must go on.
 */
final class StoreDamage {
  private static final int SECTOR_BYTES = 512;
  private static final int EDGE_BYTES = 12;

  private final StoreLife life;
  private final SimulatedDisk disk;
  private final Random random;
  private final Map<String, BlockMeta> blocksByName = new HashMap<>();

  /** How many damages of each kind of file cost samples. */
  private final Map<String, Integer> lossesByKind = new HashMap<>();

  /** Something that was done to a file. */
  private record Damage(String what, Path file, long offset, Consumer<SimulatedDisk> work) {
    @Override
    public String toString() {
      return what + " of " + file + " at " + offset;
    }
  }

  /**
   * @param seed of a life
   * @param steps it is killed after so many
   */
  StoreDamage(long seed, int steps) throws IOException {
    life = new StoreLife(seed);
    life.run(steps);
    life.store().blocks().forEach(meta -> blocksByName.put(meta.ulid().toString(), meta));
    disk = life.disk().processKill();
    life.end();
    random = new Random(seed);
  }

  Map<String, Integer> lossesByKind() {
    return lossesByKind;
  }

  List<Path> files() {
    return disk.files(StoreLife.FOLDER);
  }

  /** Flips bits of each file: at both ends, and at other places. */
  void flipBits(int placesPerFile) {
    for (Path file : files()) {
      int size = disk.bytes(file).length;
      for (int i = 0; i < placesPerFile && size > 0; i++) {
        long offset =
            switch (i % 4) {
              case 0 -> random.nextInt(Math.min(EDGE_BYTES, size));
              case 1 -> size - 1 - random.nextInt(Math.min(EDGE_BYTES, size));
              default -> random.nextInt(size);
            };
        long bit = 8 * offset + random.nextInt(8);
        check(new Damage("bit " + bit, file, offset, d -> d.flipBit(file, bit)));
      }
    }
  }

  void cutOff(int placesPerFile) {
    for (Path file : files()) {
      int size = disk.bytes(file).length;
      for (int i = 0; i < placesPerFile && size > 0; i++) {
        int offset = i == 0 ? 0 : random.nextInt(size);
        check(new Damage("loss of the end", file, offset, d -> d.cutOff(file, offset)));
      }
    }
  }

  void zeroSectors(int placesPerFile) {
    for (Path file : files()) {
      int size = disk.bytes(file).length;
      for (int i = 0; i < placesPerFile && size > 0; i++) {
        int offset = random.nextInt(size) / SECTOR_BYTES * SECTOR_BYTES;
        byte[] zeros = new byte[Math.min(SECTOR_BYTES, size - offset)];
        check(new Damage("zeros", file, offset, d -> d.put(file, offset, zeros)));
      }
    }
  }

  /** Takes each file and each folder away. */
  void loseEntries() {
    List<Path> paths = new ArrayList<>(files());
    for (Path file : files()) {
      Path folder = file.getParent();
      if (folder != null && !folder.equals(StoreLife.FOLDER) && !paths.contains(folder)) {
        paths.add(folder);
      }
    }
    for (Path path : paths) {
      check(new Damage("loss of the whole", path, 0, d -> d.lose(path)));
    }
  }

  private void check(Damage damage) {
    SimulatedDisk damaged = disk.processKill();
    damage.work.accept(damaged);
    List<String> messages = new ArrayList<>();
    try {
      Store store = life.open(damaged, messages::add);
      StoreModel.Comparison found = compare(store, damage, messages);
      life.tryOut(store);
      if (!found.missing().isEmpty() && !damage.what.startsWith("loss of")) {
        assertThat(damaged.files(StoreLife.FOLDER))
            .as(damage + "\n" + messages)
            .anyMatch(file -> isKept(file, damage.file));
      }
      assertThat(store.stats().trouble()).isEmpty();
      store.close();
      messages.clear();
      store = life.open(damaged, messages::add);
      compareAgain(store, damage, found, messages);
      store.close();
    } catch (RuntimeException e) {
      if (String.valueOf(e.getMessage()).contains("of a newer version")) {
        return; // It is left as it is.
      }
      throw new AssertionError(damage + "\n" + messages + "\n" + damaged.log(), e);
    }
  }

  /** Whether it is the file, or what was set aside of it. */
  private static boolean isKept(Path file, Path damaged) {
    String path = file.toString();
    String name = String.valueOf(damaged.getFileName());
    String first = StoreLife.FOLDER.relativize(damaged).getName(0).toString();
    return file.equals(damaged)
        || (path.contains(".corrupt") && path.contains(first) && path.contains(name));
  }

  private StoreModel.Comparison compare(Store store, Damage damage, List<String> messages) {
    StoreModel.Comparison safe;
    StoreModel.Comparison all;
    List<String> told = new ArrayList<>(messages);
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      safe = life.model.compare(querier, life.model.markOfDamage(isSafe(damage)));
      all = life.model.compare(querier, life.model.markOfDamage((sample, index) -> true));
      told.addAll(querier.warnings());
    }
    String what = damage + "\n" + told;
    assertThat(safe.wrong()).as(what).isEmpty();
    assertThat(safe.missing()).as(what).isEmpty();
    if (!all.missing().isEmpty()) {
      lossesByKind.merge(kind(damage.file), 1, Integer::sum);
      if (!isSilent(damage)) {
        assertThat(told)
            .as(what + " " + all.missing())
            .anyMatch(message -> names(message, damage.file));
      }
    }
    return all;
  }

  private void compareAgain(
      Store store, Damage damage, StoreModel.Comparison before, List<String> messages) {
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      StoreModel.Comparison again =
          life.model.compare(querier, life.model.markOfDamage(isSafe(damage)));
      String what = damage + ", opened again with " + messages;
      assertThat(again.wrong()).as(what).isEmpty();
      assertThat(again.missing()).as(what).isEmpty();
      assertThat(before.wrong()).as(what).isEmpty();
    }
  }

  /** A message names the file, or the block that it is of. */
  private static boolean names(String message, Path file) {
    if (kind(file).startsWith("wal/checkpoint") && message.contains("don't introduce")) {
      return true; // Zeros may be padding: what is missed is told.
    }
    @Nullable Path path = file;
    while (path != null && !path.equals(StoreLife.FOLDER)) {
      if (message.contains(path.toString())) {
        return true;
      }
      path = path.getParent();
    }
    return false;
  }

  private static String kind(Path file) {
    String path = StoreLife.FOLDER.relativize(file).toString();
    return path.replaceAll("^[0-9A-Z]{26}", "block").replaceAll("\\d{6,}", "N");
  }

  /** Nothing tells that a whole block or log isn't there, or that a line of JSON was another. */
  private static boolean isSilent(Damage damage) {
    String kind = kind(damage.file);
    return kind.equals("block") || kind.endsWith("meta.json") || damage.what.startsWith("loss of");
  }

  /** What can't have been touched. */
  private BiPredicate<StoreModel.Sample, Integer> isSafe(Damage damage) {
    Path inside = StoreLife.FOLDER.relativize(damage.file);
    String first = inside.getName(0).toString();
    BlockMeta block = blocksByName.get(first);
    if (block != null) {
      return (sample, index) ->
          sample.timestampMs() < block.minMs() || sample.timestampMs() >= block.maxMs();
    }
    if (kind(damage.file).equals("wal/N")) {
      return (sample, index) -> life.place(index).isUpTo(damage.file, damage.offset);
    }
    boolean isLog = first.equals("wal") || first.equals("wbl");
    return (sample, index) -> !isLog || (first.equals("wbl") && sample.timestampMs() % 10 != 5);
  }
}
