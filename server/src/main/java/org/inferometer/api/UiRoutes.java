package org.inferometer.api;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The pages. Their files lie on the class path; every address that is no file and no route of the
 * API gives the one page, which finds out by its address what to show.
 */
public final class UiRoutes implements HttpService {
  private static final Pattern SAFE_PATH = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_./-]*");

  private final StaticFiles pages = new StaticFiles("ui/");

  /** The chart library as its WebJar has it. */
  private final StaticFiles charts =
      new StaticFiles("META-INF/resources/webjars/uplot/1.6.30/dist/");

  @Override
  public void routing(HttpRules rules) {
    Requests.read(rules, "/ui/vendor/uplot/*", (q, a) -> send(q, a, charts, "/ui/vendor/uplot/"));
    Requests.read(rules, "/ui/*", (q, a) -> send(q, a, pages, "/ui/"));
    Requests.read(rules, "/favicon.ico", (q, a) -> send(q, a, pages.find("favicon.svg")));
    rules.any("/api/*", UiRoutes::unknown);
    rules.any("/-/*", UiRoutes::unknown);
    rules.any("/debug/*", UiRoutes::unknown);
    Requests.read(rules, "/*", (q, a) -> send(q, a, pages.find("index.html")));
  }

  private static void unknown(ServerRequest request, ServerResponse response) throws Exception {
    throw new ApiException(
        ApiException.Kind.NOT_FOUND, "no such route: " + request.path().rawPath());
  }

  private static void send(
      ServerRequest request, ServerResponse response, StaticFiles files, String prefix)
      throws Exception {
    String path = request.path().rawPath().substring(prefix.length());
    boolean safe = SAFE_PATH.matcher(path).matches() && !path.contains("..");
    send(request, response, safe ? files.find(path) : null);
  }

  private static void send(
      ServerRequest request, ServerResponse response, StaticFiles.@Nullable StaticFile file)
      throws ApiException, IOException {
    if (file == null) {
      throw new ApiException(
          ApiException.Kind.NOT_FOUND, "no such file: " + request.path().rawPath());
    }
    response.header(HeaderNames.ETAG, file.etag());
    // Asked again each time, answered with 304 as long as the build is the same.
    response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    response.header(HeaderNames.VARY, "Accept-Encoding");
    if (request.headers().first(HeaderNames.IF_NONE_MATCH).orElse("").contains(file.etag())) {
      response.status(Status.NOT_MODIFIED_304);
      response.send();
      return;
    }
    response.header(HeaderNames.CONTENT_TYPE, file.contentType());
    byte[] body = file.plain();
    if (file.gzip() != null && Answer.takesGzip(request)) {
      response.header(HeaderNames.CONTENT_ENCODING, "gzip");
      body = file.gzip();
    }
    response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
    response.send(request.prologue().method().equals(Method.HEAD) ? new byte[0] : body);
  }
}
