package org.inferometer.app;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What nvidia-smi says of this machine's GPUs, if it is there. It only reads. */
final class LocalGpus {
  private static final int BYTES_MAX = 1 << 20;
  private static final long WAIT_SECONDS = 10;

  private static final String GPU_FIELDS =
      "index,name,uuid,driver_version,pstate,temperature.gpu,power.draw,power.limit,clocks.sm,"
          + "clocks.max.sm,clocks_throttle_reasons.active,utilization.gpu,memory.used,memory.total,"
          + "ecc.errors.uncorrected.volatile.total";

  private LocalGpus() {}

  /**
   * Files with the GPUs and the processes that compute on them; none without nvidia-smi.
   *
   * @param command {@code nvidia-smi}, or where it is
   */
  static List<Snapshot.Extra> look(String command) throws InterruptedException {
    List<Snapshot.Extra> files = new ArrayList<>();
    ask(files, "nvidia-smi/gpus.csv", command, "--query-gpu=" + GPU_FIELDS);
    ask(
        files,
        "nvidia-smi/compute-apps.csv",
        command,
        "--query-compute-apps=gpu_uuid,pid,process_name,used_gpu_memory");
    return files;
  }

  private static void ask(List<Snapshot.Extra> files, String file, String command, String query)
      throws InterruptedException {
    try {
      java.lang.Process asked =
          new ProcessBuilder(command, query, "--format=csv").redirectErrorStream(true).start();
      asked.getOutputStream().close();
      try (InputStream in = asked.getInputStream()) {
        byte[] said = in.readNBytes(BYTES_MAX);
        boolean hasEnded = asked.waitFor(WAIT_SECONDS, TimeUnit.SECONDS);
        if (hasEnded && asked.exitValue() == 0 && said.length > 0) {
          String text = Redaction.url(new String(said, StandardCharsets.UTF_8));
          files.add(
              new Snapshot.Extra(file, Snapshot.Packed.of(text.getBytes(StandardCharsets.UTF_8))));
        }
      } finally {
        asked.destroy();
      }
    } catch (IOException e) {
      // There is no nvidia-smi here: most snapshots are taken from afar.
    }
  }
}
