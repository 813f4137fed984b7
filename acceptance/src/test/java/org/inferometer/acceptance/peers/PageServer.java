package org.inferometer.acceptance.peers;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

/** Serves pages as they are put there, each under a name that is its path. */
final class PageServer implements AutoCloseable {
  private record Page(String contentType, byte[] body) {}

  private final HttpServer server;
  private final Map<String, Page> pages = new ConcurrentHashMap<>();

  PageServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  void put(String name, String contentType, byte[] body) {
    pages.put(name, new Page(contentType, body));
  }

  private void answer(HttpExchange exchange) throws IOException {
    Page page = pages.get(exchange.getRequestURI().getPath().substring(1));
    if (page == null) {
      exchange.sendResponseHeaders(404, -1);
      exchange.close();
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", page.contentType);
    exchange.sendResponseHeaders(200, page.body.length);
    try (OutputStream body = exchange.getResponseBody()) {
      body.write(page.body);
    }
  }

  /**
   * A job for one page.
   *
   * @param more keys of the job, in a flow mapping, each behind a comma
   */
  String job(String name, String more) {
    return "  - {job_name: "
        + name
        + ", metrics_path: /"
        + name
        + ""
        + more
        + ", static_configs: [{targets: ['127.0.0.1:"
        + server.getAddress().getPort()
        + "'], labels: {instance: here}}]}\n";
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
