package org.inferometer.acceptance.kill;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Lives of a {@link KillChild} in one folder, each ended by a kill at a random moment. */
final class KillRun {
  private static final int LIFE_MS_MAX = 700;

  /** Of a start, for the lives that end while the logs are read. */
  private static final int START_MS_MAX = 500;

  private static final int KILLED_EARLY_EVERY = 8;

  /** Ticks that a new life leaves out: those of the last one that weren't acknowledged. */
  static final int GAP_TICKS = 2;

  private final Path folder;
  private final SplittableRandom random;
  private final KillModel model = new KillModel();
  private final Path log;

  KillRun(Path folder, long seed) throws IOException {
    this.folder = folder.resolve("data");
    this.log = folder.resolve("child.log");
    this.random = new SplittableRandom(seed);
    Files.createDirectories(folder);
  }

  Path data() {
    return folder;
  }

  KillModel model() {
    return model;
  }

  /**
   * One life and its end, then a look at what is left.
   *
   * @return what is wrong, nothing if all is well
   */
  List<String> round(int number) throws Exception {
    boolean early = random.nextInt(KILLED_EARLY_EVERY) == 0;
    List<String> wrong = new ArrayList<>(live(early));
    if (wrong.isEmpty() && model.newest() >= 0) {
      // A look that changes nothing leaves the repairs to the next life.
      wrong.addAll(new KillCheck(folder, model).run(number % 2 == 0));
    }
    return wrong.stream().map(w -> "round " + number + ": " + w).toList();
  }

  private List<String> live(boolean early) throws Exception {
    int tick = model.newest() + GAP_TICKS;
    Process child = start(tick);
    Thread killer = Thread.ofPlatform().unstarted(() -> {});
    try (BufferedReader lines = child.inputReader()) {
      if (early) {
        killAfter(child, random.nextInt(START_MS_MAX));
      }
      @Nullable String line = lines.readLine();
      if (line != null && line.equals("ready") && !early) {
        killer = killAfter(child, 1 + random.nextInt(LIFE_MS_MAX));
      }
      List<String> wrong = new ArrayList<>();
      for (; line != null; line = lines.readLine()) {
        take(line, wrong);
      }
      child.waitFor();
      killer.join();
      if (child.exitValue() != 137) {
        wrong.add("expected a killed child, got exit " + child.exitValue() + ": " + logText());
      }
      model.nextLife(tick);
      return wrong;
    } finally {
      child.destroyForcibly();
    }
  }

  private void take(String line, List<String> wrong) {
    if (line.startsWith("bad ")) {
      wrong.add(line + "; " + logText());
    } else if (!line.equals("ready")) {
      int space = line.indexOf(' ');
      model.acknowledged(
          Integer.parseInt(line.substring(0, space)), Integer.parseInt(line.substring(space + 1)));
    }
  }

  private String logText() {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return "no log: " + e.getMessage();
    }
  }

  private static Thread killAfter(Process child, int ms) {
    return Thread.ofPlatform()
        .start(
            () -> {
              try {
                TimeUnit.MILLISECONDS.sleep(ms);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              // Killing the process itself would also close the pipe with its last lines.
              child.toHandle().destroyForcibly();
            });
  }

  private Process start(int tick) throws IOException {
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xshare:auto",
            "-Xmx256m",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            KillChild.class.getName(),
            folder.toString(),
            Integer.toString(tick));
    return new ProcessBuilder(command).redirectError(log.toFile()).start();
  }
}
