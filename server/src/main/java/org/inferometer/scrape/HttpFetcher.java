package org.inferometer.scrape;

import org.inferometer.time.Ticker;

/**
 * Fetches over HTTP/1.1 with blocking sockets on the caller's virtual thread. Why not the JDK's
 * client is told in {@code docs/decisions/0009-own-http-client-for-scraping.md}. Thread-safe.
 */
public final class HttpFetcher implements Fetcher, AutoCloseable {
  final Ticker ticker;
  final String userAgent;
  final MemoryBudget budget;
  final Deadlines deadlines = new Deadlines();
  final Resolver resolver = new Resolver();
  final TlsContexts tlsContexts = new TlsContexts();

  /**
   * @param userAgent what it calls itself, such as {@code Inferometer/0.1.0}
   */
  public HttpFetcher(Ticker ticker, String userAgent) {
    this(ticker, userAgent, MemoryBudget.ofHeap());
  }

  HttpFetcher(Ticker ticker, String userAgent, MemoryBudget budget) {
    this.ticker = ticker;
    this.userAgent = userAgent;
    this.budget = budget;
  }

  @Override
  public Client client(Target target) {
    return new HttpClient(this, target.config(), false);
  }

  /** A client that also reads what comes with an error. */
  Client curiousClient(Target target) {
    return new HttpClient(this, target.config(), true);
  }

  @Override
  public void close() {
    deadlines.stop();
    resolver.stop();
  }
}
