package org.inferometer.benchmarks.peers;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One kept-alive HTTP connection that does nothing but ask and read, so that next to nothing of the
 * measured time is its own. Not thread-safe.
 */
final class LeanHttp implements AutoCloseable {
  private final Peer peer;
  private final int port;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private byte[] body = new byte[1 << 20];
  private int length;

  LeanHttp(RunningPeer running) throws IOException {
    peer = running.peer();
    port = running.port();
    socket = open(port);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    out = socket.getOutputStream();
  }

  private static Socket open(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(120_000);
    return socket;
  }

  private void reopen() throws IOException {
    socket.close();
    socket = open(port);
    in = new BufferedInputStream(socket.getInputStream(), 1 << 16);
    out = socket.getOutputStream();
  }

  Peer peer() {
    return peer;
  }

  String label() {
    return peer.label();
  }

  byte[] request(String pathAndQuery) {
    return ("GET " + pathAndQuery + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }

  /**
   * Sends a request and reads its answer to the end.
   *
   * @return the status
   */
  int exchange(byte[] request) throws IOException {
    return exchange(request, new byte[0]);
  }

  /** Some peers close a connection after a while; then the request is sent on a new one. */
  private int exchange(byte[] head, byte[] content) throws IOException {
    try {
      out.write(head);
      out.write(content);
      return read(line());
    } catch (ClosedByPeer | SocketException closed) {
      reopen();
      out.write(head);
      out.write(content);
      return read(line());
    }
  }

  /** The peer closed before the first byte of its answer. */
  private static final class ClosedByPeer extends IOException {
    private static final long serialVersionUID = 1L;
  }

  /** A request with a body that isn't text. */
  int post(String path, String headers, byte[] content) throws IOException {
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1:"
            + port
            + "\r\nContent-Length: "
            + content.length
            + "\r\n"
            + headers
            + "\r\n";
    return exchange(head.getBytes(StandardCharsets.US_ASCII), content);
  }

  private int read(String statusLine) throws IOException {
    int contentLength = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String lower = header.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        contentLength = Integer.parseInt(lower.substring("content-length:".length()).strip());
      } else if (lower.startsWith("transfer-encoding:") && lower.endsWith("chunked")) {
        chunked = true;
      }
    }
    length = 0;
    if (chunked) {
      chunks();
    } else {
      append(contentLength);
    }
    return Integer.parseInt(statusLine.substring(9, 12));
  }

  private void chunks() throws IOException {
    int size = chunkSize();
    while (size > 0) {
      append(size);
      line();
      size = chunkSize();
    }
    line();
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(line().strip(), 16);
  }

  private void append(int count) throws IOException {
    if (length + count > body.length) {
      body = java.util.Arrays.copyOf(body, Math.max(2 * body.length, length + count));
    }
    if (in.readNBytes(body, length, count) < count) {
      throw new EOFException("the peer closed within an answer");
    }
    length += count;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 && line.isEmpty()) {
        throw new ClosedByPeer();
      }
      if (b < 0) {
        throw new EOFException("the peer closed before its answer");
      }
      if (b != '\r') {
        line.append((char) b);
      }
    }
    return line.toString();
  }

  /** The body of the last answer. */
  String text() {
    return new String(body, 0, length, StandardCharsets.UTF_8);
  }

  int bodyBytes() {
    return length;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
