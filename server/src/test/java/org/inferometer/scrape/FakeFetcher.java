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
  private final Map<String, byte[]> pages = new HashMap<>();
  private final VirtualTime time;
  private @Nullable String contentType = "text/plain; version=0.0.4";
  private long tookMs;
  final List<String> asked = new ArrayList<>();

  FakeFetcher(VirtualTime time) {
    this.time = time;
  }

  /** What is at a URL from now on. */
  FakeFetcher page(String url, String body) {
    return page(url, body.getBytes(StandardCharsets.UTF_8));
  }

  FakeFetcher page(String url, byte[] body) {
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
        byte[] bytes = pages.get(url.toString());
        if (bytes == null) {
          throw new ScrapeException(FailureReason.STATUS, "404", "Nothing there.");
        }
        return new Page(bytes, bytes.length, contentType);
      }

      @Override
      public void close() {}

      @Override
      public void release() {}
    };
  }
}
