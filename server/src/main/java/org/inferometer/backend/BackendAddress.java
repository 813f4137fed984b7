package org.inferometer.backend;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where a server is: {@code http://host:9090}, with a path in front of {@code /api/v1} where a
 * proxy wants one. A user and a password in it become basic authentication and are never shown.
 *
 * @param base without user, and without a slash at its end
 * @param authorization the header, or null
 */
public record BackendAddress(URI base, @Nullable String authorization) {
  /**
   * Reads an address; {@code http} if it has no scheme.
   *
   * @throws IllegalArgumentException if it isn't one; the message shows no password
   */
  public static BackendAddress parse(String text) {
    try {
      URI uri = new URI(text.contains("://") ? text.strip() : "http://" + text.strip());
      boolean isHttp = "http".equalsIgnoreCase(uri.getScheme());
      if ((!isHttp && !"https".equalsIgnoreCase(uri.getScheme()))
          || uri.getHost() == null
          || uri.getRawQuery() != null
          || uri.getRawFragment() != null) {
        throw expected(text);
      }
      String path = uri.getRawPath() == null ? "" : uri.getRawPath().replaceFirst("/+$", "");
      String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
      URI base = new URI((isHttp ? "http://" : "https://") + uri.getHost() + port + path);
      return new BackendAddress(base, authorization(uri.getUserInfo()));
    } catch (URISyntaxException e) {
      throw expected(text);
    }
  }

  private static @Nullable String authorization(@Nullable String user) {
    if (user == null) {
      return null;
    }
    String pair = user.contains(":") ? user : user + ":";
    return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
  }

  private static IllegalArgumentException expected(String text) {
    int at = text.lastIndexOf('@');
    return new IllegalArgumentException(
        "expected the address of a server such as http://prometheus:9090, got \""
            + (at < 0 ? text : "..." + text.substring(at))
            + "\"");
  }

  URI route(String route) {
    return URI.create(base + route);
  }

  /** Without user and password. */
  @Override
  public String toString() {
    return base.toString();
  }
}
