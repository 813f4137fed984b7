package org.inferometer.scrape;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Looks up host names on a few threads of their own, as a lookup can neither be interrupted nor
 * limited in time and would hold a virtual thread's carrier. Thread-safe.
 */
final class Resolver {
  private static final int THREADS = 4;
  private static final int WAITING_MAX = 1_000;

  private final ThreadPoolExecutor threads =
      new ThreadPoolExecutor(
          THREADS,
          THREADS,
          10,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(WAITING_MAX),
          Thread.ofPlatform().daemon().name("scrape-names-", 0).factory());

  Resolver() {
    threads.allowCoreThreadTimeOut(true);
  }

  InetAddress[] addresses(String host, long timeoutMs)
      throws UnknownHostException, TimeoutException, InterruptedException {
    if (host.indexOf(':') >= 0 || host.matches("[0-9.]+")) {
      return InetAddress.getAllByName(host);
    }
    Future<InetAddress[]> lookup;
    try {
      lookup = threads.submit(() -> InetAddress.getAllByName(host));
    } catch (RejectedExecutionException e) {
      throw new TimeoutException();
    }
    try {
      return lookup.get(timeoutMs, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      lookup.cancel(false);
    }
  }

  void stop() {
    threads.shutdownNow();
  }
}
