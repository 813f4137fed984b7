package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has cost since its start, from /proc.
 *
 * @param cpuSeconds user and system time
 * @param rssMib resident memory: anonymous pages, which only the process has, and pages of mapped
 *     files, which the kernel takes back when it needs them
 * @param peakRssMib the most that was resident
 * @param writtenBytes what was handed to the file system
 * @param storageBytes what made pages of files dirty, so that it goes to the storage
 */
record ProcessFigures(
    double cpuSeconds,
    double rssMib,
    double rssAnonMib,
    double rssFileMib,
    double peakRssMib,
    long writtenBytes,
    long storageBytes) {
  /** USER_HZ of Linux on every platform that the JDK runs on. */
  private static final double TICKS_PER_SECOND = 100;

  static ProcessFigures of(long pid) throws IOException {
    Path process = Path.of("/proc", Long.toString(pid));
    List<String> status = Files.readAllLines(process.resolve("status"));
    List<String> io = Files.readAllLines(process.resolve("io"));
    return new ProcessFigures(
        cpuSeconds(process),
        number(status, "VmRSS") / 1024.0,
        number(status, "RssAnon") / 1024.0,
        number(status, "RssFile") / 1024.0,
        number(status, "VmHWM") / 1024.0,
        number(io, "wchar"),
        number(io, "write_bytes"));
  }

  private static double cpuSeconds(Path process) throws IOException {
    String stat = Files.readString(process.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  private static long number(List<String> lines, String key) {
    for (String line : lines) {
      if (line.startsWith(key + ":")) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
      }
    }
    throw new IllegalStateException("no " + key + " among " + lines);
  }

  /** Puts all into a row of results. */
  void into(ObjectNode row) {
    row.put("cpuSeconds", cpuSeconds);
    row.put("peakRssMib", peakRssMib);
    row.put("rssMib", rssMib);
    row.put("rssAnonMib", rssAnonMib);
    row.put("rssFileMib", rssFileMib);
    row.put("writtenBytes", writtenBytes);
    row.put("storageBytes", storageBytes);
  }
}
