package org.inferometer.http;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Collection;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which names a request may call this server by. A page from elsewhere can make a browser resolve
 * the page's own name to this machine and read what listens on loopback as if it were that page's
 * (DNS rebinding); such a request carries the page's name as its host. So a server that listens on
 * loopback answers only to loopback's names, to addresses, and to names that the user allows.
 */
public final class HostCheck {
  private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|\\[[0-9a-fA-F:.%]+]");

  private final boolean anyName;
  private final Set<String> allowed;

  public HostCheck(InetAddress listening, Collection<String> allowed) {
    this.anyName = !listening.isLoopbackAddress() && allowed.isEmpty();
    this.allowed =
        allowed.stream().map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
  }

  /** Whether a Host header's value, {@code name} or {@code name:port}, is one of ours. */
  public boolean allows(@Nullable String host) {
    if (host == null) {
      return false;
    }
    String name = withoutPort(host).toLowerCase(Locale.ROOT);
    return anyName
        || ADDRESS.matcher(name).matches()
        || name.equals("localhost")
        || name.endsWith(".localhost")
        || allowed.contains(name);
  }

  /** Whether a request that changes something comes from our own pages, or from no page at all. */
  public boolean allowsOrigin(@Nullable String origin, @Nullable String host) {
    if (origin == null) {
      return true;
    }
    try {
      return host != null && host.equalsIgnoreCase(new URI(origin).getAuthority());
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static String withoutPort(String host) {
    int colon = host.lastIndexOf(':');
    return colon > 0 && !host.endsWith("]") ? host.substring(0, colon) : host;
  }
}
