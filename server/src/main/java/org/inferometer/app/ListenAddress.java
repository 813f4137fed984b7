package org.inferometer.app;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/** Reads {@code HOST:PORT}, {@code :PORT} or {@code PORT}; without a host it is loopback. */
final class ListenAddress {
  private ListenAddress() {}

  static InetSocketAddress parse(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? "" : text.substring(0, colon);
    int port = port(text, text.substring(colon + 1));
    if (host.isEmpty()) {
      return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }
    if (host.indexOf(':') >= 0 && !host.startsWith("[")) {
      throw bad(text);
    }
    try {
      return new InetSocketAddress(InetAddress.getByName(host), port);
    } catch (UnknownHostException e) {
      throw CommandException.badInput("--listen: no address is known for host \"" + host + "\"");
    }
  }

  private static int port(String text, String digits) {
    try {
      int port = Integer.parseInt(digits);
      if (port >= 0 && port <= 65_535) {
        return port;
      }
    } catch (NumberFormatException e) {
      // Falls through to the common message.
    }
    throw bad(text);
  }

  private static CommandException bad(String text) {
    return CommandException.badInput(
        "--listen: expected HOST:PORT such as 127.0.0.1:9765, got \"" + text + "\"");
  }
}
