package org.inferometer.scrape;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A server on loopback that answers each request with whatever bytes a test wants. */
final class HostileServer implements AutoCloseable {
  /** What is done with a request. */
  @FunctionalInterface
  interface Answer {
    void to(OutputStream out) throws IOException, InterruptedException;
  }

  private final ServerSocket listener;
  private final Answer answer;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  final List<String> requests = new CopyOnWriteArrayList<>();

  HostileServer(Answer answer) throws IOException {
    this.answer = answer;
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  /** One that sends this text and closes. */
  static HostileServer saying(String text) throws IOException {
    return new HostileServer(
        out -> {
          out.write(text.getBytes(StandardCharsets.ISO_8859_1));
          out.flush();
          throw new SocketException("close");
        });
  }

  /** One that keeps its connections. */
  static HostileServer page(String body) throws IOException {
    String head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: "
            + body.getBytes(StandardCharsets.UTF_8).length
            + "\r\n\r\n";
    return new HostileServer(
        out -> {
          out.write((head + body).getBytes(StandardCharsets.UTF_8));
          out.flush();
        });
  }

  String address() {
    return "127.0.0.1:" + listener.getLocalPort();
  }

  int connections() {
    return open.size();
  }

  /** Waits until the test is over. */
  void hang() throws InterruptedException {
    closed.await();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        socket.setTcpNoDelay(true);
        open.add(socket);
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException e) {
      // Closed by the test.
      return;
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      while (true) {
        String request = request(in);
        if (request.isEmpty()) {
          return;
        }
        requests.add(request);
        answer.to(socket.getOutputStream());
      }
    } catch (IOException | InterruptedException e) {
      // The other side has given up, as it should.
      return;
    }
  }

  private static String request(InputStream in) throws IOException {
    StringBuilder request = new StringBuilder();
    while (request.indexOf("\r\n\r\n") < 0) {
      int b = in.read();
      if (b < 0) {
        return "";
      }
      request.append((char) b);
      if (request.length() == 1 && b == 0x16) {
        // A TLS hello: what follows doesn't matter.
        return "TLS";
      }
    }
    return request.toString();
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    listener.close();
    for (Socket socket : new ArrayList<>(open)) {
      socket.close();
    }
  }
}
