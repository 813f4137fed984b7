package org.inferometer.http;

import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a client sends. Its connection's thread reads it; while that thread waits for an answer to
 * be made, another may read ahead, so that the end of what the client sends is noticed when it
 * comes. What was read ahead is the beginning of what is read next, so nothing is lost of a request
 * that follows early. Thread-safe.
 */
final class Incoming implements Supplier<byte[]> {
  private final Supplier<byte[]> socket;

  /** A read that was begun ahead and whose bytes nobody took yet; null at the end of input. */
  private @Nullable CompletableFuture<byte @Nullable []> ahead;

  /**
   * @param socket blocks until there are bytes; gives null at the end
   */
  Incoming(Supplier<byte[]> socket) {
    this.socket = socket;
  }

  @Override
  @SuppressWarnings("NullAway") // null is how the reader learns of the end
  public byte[] get() {
    CompletableFuture<byte @Nullable []> begun = take();
    return begun == null ? read() : await(begun);
  }

  /** Waits for bytes and drops them; false at the end. */
  boolean hasMore() {
    return get() != null;
  }

  private synchronized @Nullable CompletableFuture<byte @Nullable []> take() {
    CompletableFuture<byte @Nullable []> begun = ahead;
    ahead = null;
    return begun;
  }

  private byte @Nullable [] read() {
    try {
      return socket.get();
    } catch (UncheckedIOException e) {
      throw new ServerConnectionException("the client can't be read from", e);
    }
  }

  private static byte @Nullable [] await(CompletableFuture<byte @Nullable []> begun) {
    try {
      return begun.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("interrupted while waiting for a request", e);
    } catch (ExecutionException e) {
      throw new ServerConnectionException("the client can't be read from", e);
    }
  }

  /**
   * Reads ahead, once, unless that is under way or done already.
   *
   * @param gone is run if there is nothing more to read: the client closed its side, or the
   *     connection is broken
   */
  synchronized void readAhead(Runnable gone) {
    if (ahead == null) {
      CompletableFuture<byte @Nullable []> begun = new CompletableFuture<>();
      ahead = begun;
      Thread.ofVirtual().name("read-ahead").start(() -> readAhead(begun, gone));
    }
  }

  private void readAhead(CompletableFuture<byte @Nullable []> begun, Runnable gone) {
    boolean over;
    try {
      byte[] bytes = socket.get();
      over = bytes == null;
      begun.complete(bytes);
    } catch (UncheckedIOException e) {
      over = !(e.getCause() instanceof SocketTimeoutException);
      begun.completeExceptionally(e);
    } catch (RuntimeException | Error e) {
      over = true;
      begun.completeExceptionally(e);
    }
    if (over) {
      gone.run();
    }
  }
}
