package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;

/** What peers run on. */
public final class Machine {
  private Machine() {}

  /** Puts the date, the processor and the JVM into results. */
  public static void describe(ObjectNode results) throws IOException {
    String cpu =
        Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
            .filter(line -> line.startsWith("model name"))
            .findFirst()
            .map(line -> line.substring(line.indexOf(':') + 2))
            .orElse("unknown");
    results.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    results.put("cpu", cpu);
    results.put("cores", Runtime.getRuntime().availableProcessors());
    results.put("java", Runtime.version().toString());
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
