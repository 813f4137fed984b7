package org.inferometer.api;

import com.google.re2j.Pattern;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerResponse;
import org.inferometer.model.Regex;
import org.jspecify.annotations.Nullable;

/**
 * Which pages of other sites may read what the API answers, and the headers that tell browsers so.
 * Thread-safe. Source: prometheus/prometheus, {@code util/httputil/cors.go}.
 */
final class CrossOrigin {
  private static final HeaderName ALLOW_HEADERS =
      HeaderNames.create("Access-Control-Allow-Headers");
  private static final HeaderName ALLOW_METHODS =
      HeaderNames.create("Access-Control-Allow-Methods");
  private static final HeaderName ALLOW_ORIGIN = HeaderNames.create("Access-Control-Allow-Origin");
  private static final HeaderName EXPOSE_HEADERS =
      HeaderNames.create("Access-Control-Expose-Headers");

  /** What may be read from elsewhere. */
  private static final String READABLE = "/api/v1/";

  /** What isn't a question, though it lies there. */
  private static final String WRITE = "/api/v1/write";

  private final @Nullable Pattern origins;
  private final boolean anyOrigin;

  /**
   * @param origins a regular expression for whole origins; null for none
   * @throws com.google.re2j.PatternSyntaxException if it isn't one
   */
  CrossOrigin(@Nullable String origins) {
    this.origins = origins == null ? null : Regex.compile(origins);
    this.anyOrigin = ".*".equals(origins);
  }

  /** Whether pages of that origin may ask that path. */
  boolean allows(@Nullable String origin, String path) {
    return origins != null
        && origin != null
        && path.startsWith(READABLE)
        && !path.equals(WRITE)
        && origins.matches(origin);
  }

  /** Tells the browser of a page what it may do, if there is a page. */
  void describe(ServerResponse response, @Nullable String origin, String path) {
    if (origins == null || origin == null || !path.startsWith(READABLE)) {
      return;
    }
    response.headers().add(HeaderNames.VARY, "Origin");
    if (allows(origin, path)) {
      response.header(ALLOW_ORIGIN, anyOrigin ? "*" : origin);
      response.header(ALLOW_HEADERS, "Accept, Authorization, Content-Type, Origin");
      response.header(ALLOW_METHODS, "GET, POST, OPTIONS");
      response.header(EXPOSE_HEADERS, "Date");
    }
  }
}
