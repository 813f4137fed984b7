package org.inferometer.scrape;

import java.io.IOException;
import java.net.ConnectException;

/** Gets pages from a source in this process. Thread-safe if the source is. */
final class HandedFetcher implements Fetcher {
  private final PageSource source;

  HandedFetcher(PageSource source) {
    this.source = source;
  }

  @Override
  public Client client(Target target) {
    return new HandedClient();
  }

  private final class HandedClient implements Client {
    @Override
    public Page fetch(TargetUrl url, long timeoutMs) throws ScrapeException, InterruptedException {
      return switch (source.ask(url.toString(), timeoutMs)) {
        case PageSource.Page page -> new Page(page.body(), page.length(), page.contentType());
        case PageSource.Refused _ ->
            throw failure(new ConnectException("connection refused"), url, timeoutMs);
        case PageSource.TooLate _ -> throw HttpFailure.timeout("waiting for the answer", timeoutMs);
      };
    }

    private static ScrapeException failure(IOException e, TargetUrl url, long timeoutMs) {
      return HttpFailure.of(e, "connecting", url, false, timeoutMs);
    }

    @Override
    public void close() {}

    @Override
    public void release() {}
  }
}
