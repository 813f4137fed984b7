package org.inferometer.scrape;

import org.inferometer.store.SampleSink;
import org.inferometer.time.Pacer;
import org.inferometer.time.Ticker;
import org.inferometer.time.WallClock;

/**
 * What all scrape loops share.
 *
 * @param seed of hashes, so that targets can't make collisions
 * @param hostName what this machine is called by others
 */
record ScrapeContext(
    SampleSink sink,
    Fetcher fetcher,
    WallClock clock,
    Ticker ticker,
    Pacer pacer,
    ScrapeStats stats,
    ScrapeListener listener,
    long seed,
    String hostName) {
  String globalUrl(TargetUrl url) {
    return url.isLocal()
        ? new TargetUrl(url.scheme(), hostName, url.port(), url.path()).toString()
        : url.toString();
  }
}
