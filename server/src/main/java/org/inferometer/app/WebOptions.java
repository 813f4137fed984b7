package org.inferometer.app;

import org.jspecify.annotations.Nullable;

/**
 * What the HTTP server takes and tells beyond the usual; named as Prometheus's {@code --web.}
 * options.
 *
 * @param corsOrigin a regular expression for the origins whose pages may read answers; null for
 *     none but our own
 * @param remoteWriteReceiver whether samples are taken by remote write
 * @param adminApi whether series may be deleted and the data be copied by request
 */
record WebOptions(@Nullable String corsOrigin, boolean remoteWriteReceiver, boolean adminApi) {
  static final WebOptions DEFAULT = new WebOptions(null, false, false);
}
