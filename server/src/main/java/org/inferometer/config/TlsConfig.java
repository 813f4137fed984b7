package org.inferometer.config;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * How a server proves who it is.
 *
 * @param insecureSkipVerify whether any certificate is taken
 * @param caFile certificates in PEM to trust instead of the machine's; null for those
 * @param serverName the name the certificate must have and the one asked for; "" for the host's
 */
public record TlsConfig(boolean insecureSkipVerify, @Nullable Path caFile, String serverName) {
  public static final TlsConfig DEFAULT = new TlsConfig(false, null, "");
}
