package org.inferometer.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.query.EngineOptions;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;
import org.jspecify.annotations.Nullable;

/** A server without any target: what is asked for is only what was written. */
final class IdleServer {
  private IdleServer() {}

  static LocalServer start(Path folder, WallClock clock, WebOptions web) throws IOException {
    return start(folder, clock, web, null);
  }

  static LocalServer start(
      Path folder, WallClock clock, WebOptions web, LocalServer.@Nullable Simulated simulated)
      throws IOException {
    Path config = folder.resolve("none.yml");
    Files.writeString(config, "scrape_configs: []\n");
    ServeOptions options =
        new ServeOptions(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            List.of(),
            List.of(),
            config,
            StorageOptions.of(folder.resolve("data")),
            EngineOptions.DEFAULT,
            web);
    return new LocalServer(
            options, simulated, new Captured().console(false), clock, Ticker.system())
        .start();
  }
}
