package org.inferometer.tsdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.inferometer.io.DiskFault;
import org.inferometer.io.SimulatedDisk;
import org.inferometer.io.SimulatedDisk.Kind;
import org.inferometer.io.SimulatedDisk.Loss;
import org.inferometer.store.Querier;
import org.inferometer.store.StoreException;
import org.inferometer.tsdb.wal.WalOptions;

/** Lives of stores with faults, each from a seed; the tests take some of them, the fuzzer any. */
final class StoreFaults {
  private static final Kind[] WRITING = {Kind.CREATE, Kind.CREATE_FOLDER, Kind.OVERWRITE};
  private static final int TRIES_MAX = 400;
  private static final int NEAR_BYTES = 8;

  private StoreFaults() {}

  /** Opens what is on a disk, twice, and looks whether it has what it must have. */
  static void check(StoreLife life, SimulatedDisk disk, StoreModel.Mark mark, String what) {
    List<String> messages = new ArrayList<>();
    try {
      Store store = life.open(disk, messages::add);
      compare(life, store, mark, what + ", opened with " + messages);
      store.close();
      messages.clear();
      store = life.open(disk, messages::add);
      compare(life, store, mark, what + ", opened again with " + messages);
      store.close();
    } catch (RuntimeException e) {
      throw new AssertionError(what + ", " + messages + "\n" + life.where(), e);
    }
    // Those stay in the log of late samples until it is written anew.
    messages.removeIf(message -> message.contains("of series that they don't introduce"));
    assertThat(messages).as(what + ", opened again").isEmpty();
    assertThat(disk.openFiles()).as("files left open").isZero();
    assertThat(disk.openMappings()).as("mappings left open").isZero();
  }

  static void compare(StoreLife life, Store store, StoreModel.Mark mark, String what) {
    try (Querier querier = store.querier(Long.MIN_VALUE, Long.MAX_VALUE)) {
      StoreModel.Comparison comparison = life.model.compare(querier, mark);
      if (!comparison.wrong().isEmpty() || !comparison.missing().isEmpty()) {
        throw new AssertionError(
            "%s\n%s\n%d wrong: %s\n%d missing: %s"
                .formatted(
                    what,
                    life.where(),
                    comparison.wrong().size(),
                    some(comparison.wrong()),
                    comparison.missing().size(),
                    some(comparison.missing())));
      }
      assertThat(querier.warnings()).as(what).isEmpty();
    }
  }

  private static List<String> some(List<String> lines) {
    return lines.subList(0, Math.min(8, lines.size()));
  }

  /**
   * A life at whose every so manieth change of the disk the process is killed.
   *
   * @param offset of the first
   */
  static void kills(long seed, int steps, int every, int offset) throws IOException {
    StoreLife life = new StoreLife(seed);
    SimulatedDisk disk = life.disk();
    disk.watch(
        operation -> {
          if (operation.kind().changes() && operation.number() % every == offset) {
            check(life, disk.processKill(), life.model.markOfKill(), "killed before " + operation);
          }
        });
    life.run(steps);
    life.end();
  }

  /** The same with the power cut. */
  static void powerCuts(long seed, int steps, int every, int offset) throws IOException {
    StoreLife life = new StoreLife(seed);
    SimulatedDisk disk = life.disk();
    Random random = new Random(seed);
    Loss[] losses = Loss.values();
    int[] turn = new int[1];
    disk.watch(
        operation -> {
          if (operation.kind().changes() && operation.number() % every == offset) {
            Loss loss = turn[0] % 2 == 0 ? Loss.SOME : losses[turn[0] / 2 % losses.length];
            turn[0]++;
            check(
                life,
                disk.powerCut(loss, random),
                life.model.markOfCut(),
                "power cut with loss of " + loss + " before " + operation);
          }
        });
    life.run(steps);
    life.end();
  }

  /** A life on a disk that is full at each of its writes once, and then has room again. */
  static void fullDisks(long seed, int steps) throws IOException {
    StoreLife life = new StoreLife(seed);
    Random random = new Random(seed);
    for (int i = 0; i < steps; i++) {
      for (StoreLife.Action action : life.next()) {
        int passing = 0;
        boolean isDone = false;
        while (!isDone) {
          DiskFault fault =
              DiskFault.of(Kind.WRITE, WRITING)
                  .after(passing++)
                  .leaving(random.nextInt(200))
                  .forGood();
          isDone = tryWith(life, action, fault);
          assertThat(passing).as(life.where()).isLessThan(TRIES_MAX);
        }
      }
    }
    end(life);
  }

  /** Whether an action could be done without meeting the fault. */
  private static boolean tryWith(StoreLife life, StoreLife.Action action, DiskFault fault)
      throws IOException {
    SimulatedDisk disk = life.disk();
    disk.fail(fault);
    boolean isRefused = false;
    try {
      action.body().run();
    } catch (StoreException e) {
      isRefused = true;
      assertThat(e.getMessage()).as(life.where()).contains(fault.message());
    }
    String what = action + " with " + fault;
    if (fault.failures() == 0) {
      assertThat(isRefused).as(what).isFalse();
    } else if (life.isOpen()) {
      // An operator who asks for something is told at once.
      if (action.name().matches("scrape|late|maintain")) {
        assertThat(life.store().stats().trouble()).as(what + "\n" + life.where()).isNotEmpty();
      }
      compare(life, life.store(), life.model.markOfKill(), what);
    }
    disk.heal();
    life.recover();
    if (fault.failures() % 5 == 1) {
      check(life, disk.processKill(), life.model.markOfKill(), "killed after " + what);
    }
    return fault.failures() == 0;
  }

  /**
   * A life that is killed while it writes to its log, after each so manieth byte, and after each
   * byte near the end of what was written at once and of pages.
   */
  static void tornWrites(long seed, int every) throws IOException {
    StoreLife life = new StoreLife(seed);
    life.run(3);
    life.appendLarge();
    life.run(3);
    SimulatedDisk whole = life.disk().processKill();
    life.end();
    Set<StoreLife.Place> ends = life.places();
    for (Path segment : whole.files(StoreLife.FOLDER.resolve("wal"))) {
      int size = whole.bytes(segment).length;
      for (int offset = 0; offset < size; offset++) {
        if (offset % every == 0 || isNearEnd(ends, segment, offset)) {
          tear(life, whole.processKill(), segment, offset, ends);
        }
      }
    }
  }

  private static boolean isNearEnd(Set<StoreLife.Place> ends, Path segment, int offset) {
    int inPage = offset % WalOptions.PAGE_BYTES;
    return inPage <= NEAR_BYTES
        || inPage >= WalOptions.PAGE_BYTES - NEAR_BYTES
        || ends.stream()
            .anyMatch(
                end ->
                    end.segment().equals(segment.toString())
                        && Math.abs(end.offset() - offset) <= NEAR_BYTES);
  }

  private static void tear(
      StoreLife life, SimulatedDisk disk, Path segment, int offset, Set<StoreLife.Place> ends) {
    disk.cutOff(segment, offset);
    for (Path other : disk.files(StoreLife.FOLDER.resolve("wal"))) {
      if (other.compareTo(segment) > 0) {
        disk.lose(other);
      }
    }
    List<String> messages = new ArrayList<>();
    StoreModel.Mark mark =
        life.model.markOfDamage((sample, index) -> life.place(index).isUpTo(segment, offset));
    String what = segment + " torn at " + offset;
    Store store = life.open(disk, messages::add);
    compare(life, store, mark, what);
    store.close();
    boolean isWhole = offset == 0 || ends.contains(new StoreLife.Place(segment.toString(), offset));
    if (isWhole) {
      assertThat(messages).as(what).isEmpty();
    }
    // A commit is a few records: between two of them nothing is seen to be missing.
    assertThat(messages).as(what).allMatch(m -> m.contains(segment + ": offset "));
    check(life, disk, mark, what);
  }

  private static void end(StoreLife life) throws IOException {
    life.run(3);
    assertThat(life.store().stats().trouble()).as(life.where()).isEmpty();
    compare(life, life.store(), life.model.markOfKill(), "at the end");
    life.end();
    check(life, life.disk().processKill(), life.model.markOfKill(), "after the end");
  }

  /** A life with a disk that fails to sync, each time once. */
  static void failedSyncs(long seed, int steps) throws IOException {
    StoreLife life = new StoreLife(seed);
    Random random = new Random(seed);
    for (int i = 0; i < steps; i++) {
      for (StoreLife.Action action : life.next()) {
        boolean isDone = false;
        for (int passing = 0; !isDone; passing++) {
          isDone = failOneSync(life, action, passing, random);
          assertThat(passing).as(life.where()).isLessThan(TRIES_MAX);
        }
      }
    }
    end(life);
  }

  private static boolean failOneSync(
      StoreLife life, StoreLife.Action action, int passing, Random random) throws IOException {
    SimulatedDisk disk = life.disk();
    DiskFault fault =
        disk.fail(
            DiskFault.of(Kind.SYNC, Kind.SYNC_FOLDER).after(passing).saying(DiskFault.BROKEN));
    try {
      action.body().run();
    } catch (StoreException e) {
      assertThat(fault.failures()).as(action + ": " + e + "\n" + life.where()).isPositive();
    }
    disk.heal();
    life.recover();
    String what = action + " with a sync that fails after " + passing;
    if (fault.failures() > 0) {
      life.model.doubt();
      compare(life, life.store(), life.model.markOfKill(), what);
      check(life, disk.processKill(), life.model.markOfKill(), "killed after " + what);
    }
    if (fault.failures() > 0 || random.nextInt(4) == 0) {
      Loss loss = random.nextBoolean() ? Loss.ALL : Loss.SOME;
      check(life, disk.powerCut(loss, random), life.model.markOfCut(), "power cut after " + what);
    }
    return fault.failures() == 0;
  }
}
