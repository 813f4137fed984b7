package org.inferometer.simulator.live;

import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.nio.charset.StandardCharsets;

/** What a proxy says when the server behind it doesn't: a small page, and no JSON. */
final class ProxyError {
  private ProxyError() {}

  static void send(ServerRequest request, ServerResponse response, int status) {
    String title = status + " " + Status.create(status).reasonPhrase();
    String page =
        "<html>\r\n<head><title>"
            + title
            + "</title></head>\r\n<body>\r\n<center><h1>"
            + title
            + "</h1></center>\r\n<hr><center>simulated gateway</center>\r\n</body>\r\n</html>\r\n";
    Reply.send(request, response, status, "text/html", page.getBytes(StandardCharsets.US_ASCII));
  }
}
