package org.inferometer.benchmarks.peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Serves synthetic replicas over HTTP on loopback.
 *
 * <ul>
 *   <li>{@code /live/N/metrics}: replica N now; values move every 5 s.
 *   <li>{@code /past/SCRAPER/N/metrics}: each request answers the next tick of a past that ends
 *       where the arguments say, with timestamps; every scraper name has its own place in it.
 * </ul>
 *
 * Arguments: port, replicas, past ticks, past tick in ms, past end in ms.
 */
public final class SyntheticReplicas {
  private static final long LIVE_TICK_MS = 5000;

  /** So many requests for the past get its first tick, until a scraper just started keeps pace. */
  private static final long REPEATS_OF_FIRST = 50;

  private final SyntheticReplica[] replicas;
  private final long pastTicks;
  private final long pastTickMs;
  private final long pastEndMs;
  private final Map<String, AtomicLong> places = new ConcurrentHashMap<>();

  private SyntheticReplicas(int count, long pastTicks, long pastTickMs, long pastEndMs) {
    replicas = new SyntheticReplica[count];
    for (int i = 0; i < count; i++) {
      replicas[i] = new SyntheticReplica(i);
    }
    this.pastTicks = pastTicks;
    this.pastTickMs = pastTickMs;
    this.pastEndMs = pastEndMs;
  }

  public static void main(String[] args) throws IOException {
    SyntheticReplicas replicas =
        new SyntheticReplicas(
            Integer.parseInt(args[1]),
            Long.parseLong(args[2]),
            Long.parseLong(args[3]),
            Long.parseLong(args[4]));
    InetSocketAddress address =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
    HttpServer server = HttpServer.create(address, 256);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", replicas::answer);
    server.start();
  }

  private void answer(HttpExchange exchange) throws IOException {
    String[] path = exchange.getRequestURI().getPath().split("/", -1);
    byte[] page =
        switch (path[1]) {
          case "live" ->
              replicas[Integer.parseInt(path[2])].page(
                  System.currentTimeMillis() / LIVE_TICK_MS % 1_000_000, null);
          case "past" -> past(path[2], Integer.parseInt(path[3]));
          case "progress" -> Long.toString(progress(path[2])).getBytes(StandardCharsets.UTF_8);
          default -> new byte[0];
        };
    exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    exchange.sendResponseHeaders(200, page.length == 0 ? -1 : page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
  }

  /** The next tick of the past for this scraper; empty when it has seen all. */
  private byte[] past(String scraper, int replica) {
    AtomicLong place = places.computeIfAbsent(scraper + "/" + replica, key -> new AtomicLong());
    long tick = Math.max(0, place.getAndIncrement() - REPEATS_OF_FIRST);
    return tick >= pastTicks
        ? new byte[0]
        : replicas[replica].page(tick, pastEndMs - (pastTicks - 1 - tick) * pastTickMs);
  }

  /** Ticks that the slowest replica of a scraper has given out. */
  private long progress(String scraper) {
    return places.entrySet().stream()
        .filter(place -> place.getKey().startsWith(scraper + "/"))
        .mapToLong(place -> Math.clamp(place.getValue().get() - REPEATS_OF_FIRST, 0, pastTicks))
        .min()
        .orElse(0);
  }
}
