package org.inferometer.acceptance.kill;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.io.Disk;

/**
 * Kills a writing process a number of times: {@code KillFuzz COUNT SEED FOLDER}. Ends with 1 if
 * something was lost, wrong or twice; the folder is kept then.
 */
public final class KillFuzz {
  /** A new folder after so many lives, so that beginnings are met again. */
  private static final int LIVES_MAX = 50;

  private KillFuzz() {}

  public static void main(String[] arguments) throws Exception {
    System.exit(
        run(
            Integer.parseInt(arguments[0]),
            Long.parseLong(arguments[1]),
            Path.of(arguments[2]),
            System.out));
  }

  private static int run(int count, long seed, Path folder, PrintStream out) throws Exception {
    long batches = 0;
    Files.createDirectories(folder);
    for (int done = 0; done < count; done += LIVES_MAX) {
      Path place = Files.createTempDirectory(folder, "kill");
      KillRun run = new KillRun(place, seed + done);
      for (int i = 0; i < Math.min(LIVES_MAX, count - done); i++) {
        List<String> wrong = run.round(i);
        if (!wrong.isEmpty()) {
          wrong.forEach(out::println);
          out.printf("seed %d, after %d kills, in %s%n", seed + done, done + i + 1, place);
          return 1;
        }
      }
      batches += run.model().acknowledgedCount();
      Disk.real().delete(place);
    }
    out.printf("%d kills from seed %d: all of %d batches are there%n", count, seed, batches);
    return 0;
  }
}
