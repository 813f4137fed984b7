package org.inferometer.acceptance.ui;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.inferometer.acceptance.peers.Families;

/**
 * An exporter of one native histogram, {@code reply_seconds}, by protobuf. Each scrape finds the
 * same observations once more: 1 around zero, 2 up to 0.5, 5 up to 1 and 3 up to 2 seconds.
 */
final class NativeExporter implements AutoCloseable {
  private static final int HISTOGRAM_TYPE = 4;

  private final HttpServer server;
  private final AtomicInteger scrapes = new AtomicInteger();

  NativeExporter() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    server.createContext("/metrics", this::answer);
    server.start();
  }

  String instance() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] page = page(scrapes.incrementAndGet());
    exchange
        .getResponseHeaders()
        .set(
            "Content-Type",
            "application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily;"
                + " encoding=delimited");
    exchange.sendResponseHeaders(200, page.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page);
    }
  }

  private static byte[] page(int times) {
    Families histogram =
        new Families()
            .varint(1, 11L * times)
            .number(2, 8.5 * times)
            .signed(5, 0)
            .number(6, 0.001)
            .varint(7, times)
            .message(12, new Families().signed(1, -1).varint(2, 3))
            .signedList(13, 2L * times, 3L * times, -2L * times);
    Families family =
        new Families()
            .text(1, "reply_seconds")
            .text(2, "Time to answer.")
            .varint(3, HISTOGRAM_TYPE)
            .message(4, new Families().message(7, histogram));
    return new Families().family(family).bytes();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
