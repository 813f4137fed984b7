package org.inferometer.scrape;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.time.VirtualTime;
import org.jspecify.annotations.Nullable;

/** Pages by URL, without a network. */
final class FakeFetcher implements Fetcher {
  private final Map<String, String> pages = new HashMap<>();
  private final VirtualTime time;
  private @Nullable String contentType = "text/plain; version=0.0.4";
  private long tookMs;
  final List<String> asked = new ArrayList<>();

  FakeFetcher(VirtualTime time) {
    this.time = time;
  }

  /** What is at a URL from now on. */
  FakeFetcher page(String url, String body) {
    pages.put(url, body);
    return this;
  }

  FakeFetcher gone(String url) {
    pages.remove(url);
    return this;
  }

  void contentType(@Nullable String type) {
    contentType = type;
  }

  void takes(long ms) {
    tookMs = ms;
  }

  @Override
  public Client client(Target target) {
    return new Client() {
      @Override
      public Page fetch(TargetUrl url, long timeoutMs) throws ScrapeException {
        asked.add(time.nowMs() + " " + url);
        time.pass(tookMs);
        String body = pages.get(url.toString());
        if (body == null) {
          throw new ScrapeException(FailureReason.STATUS, "404", "Nothing there.");
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return new Page(bytes, bytes.length, contentType);
      }

      @Override
      public void close() {}

      @Override
      public void release() {}
    };
  }
}
