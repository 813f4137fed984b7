package org.inferometer.app;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.inferometer.query.EngineOptions;
import org.jspecify.annotations.Nullable;

/**
 * What a server is started with.
 *
 * @param urls to scrape, beside what the config file says
 * @param configFile null for none
 * @param storage where and how data is kept
 * @param queries limits and language of queries
 */
record ServeOptions(
    InetSocketAddress listen,
    List<String> allowedHosts,
    List<String> urls,
    @Nullable Path configFile,
    StorageOptions storage,
    EngineOptions queries,
    WebOptions web) {
  ServeOptions {
    allowedHosts = List.copyOf(allowedHosts);
    urls = List.copyOf(urls);
  }
}
