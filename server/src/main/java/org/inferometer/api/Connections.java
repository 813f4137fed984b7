package org.inferometer.api;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are open, and a watch over them. It closes those that keep others waiting: a
 * request that dribbles in, an answer that isn't taken. And it interrupts the work for a client
 * that has gone, which a thread that is computing can't notice itself. Thread-safe.
 *
 * <p>A connection is in one phase at a time; each has its longest duration.
 */
final class Connections implements ServerConnectionSelector {
  /** What a connection is doing. */
  enum Phase {
    /** Nothing, or receiving the head of a request. */
    IDLE(Duration.ofSeconds(60)),
    /** Receiving the body of a request. */
    RECEIVING(Duration.ofSeconds(30)),
    /** Working on the answer; queries have a timeout of their own. */
    WORKING(Duration.ofMinutes(10)),
    /** Sending, without the client taking any of it. */
    SENDING(Duration.ofSeconds(60));

    private final long nanosMax;

    Phase(Duration max) {
      nanosMax = max.toNanos();
    }
  }

  /** How often the watch looks; also how soon a client's leaving is noticed. */
  static final Duration WATCH_INTERVAL = Duration.ofMillis(200);

  private final ServerConnectionSelector http;
  private final RequestStats stats;
  private final Ticker ticker;

  /** By the thread that serves it. */
  private final Map<Thread, Connection> open = new ConcurrentHashMap<>();

  private volatile @Nullable Thread watch;

  Connections(Http1Config config, RequestStats stats, Ticker ticker) {
    this.http = Http1ConnectionSelector.builder().config(config).build();
    this.stats = stats;
    this.ticker = ticker;
  }

  int size() {
    return open.size();
  }

  void startWatch() {
    watch = Thread.ofVirtual().name("connection-watch").start(this::watchAll);
  }

  void stopWatch() {
    Thread thread = watch;
    if (thread != null) {
      thread.interrupt();
    }
  }

  private void watchAll() {
    try {
      while (true) {
        Thread.sleep(WATCH_INTERVAL);
        long now = ticker.nanos();
        open.values().forEach(connection -> connection.look(now));
      }
    } catch (InterruptedException e) {
      // The server stops.
    }
  }

  /** The connection that the calling thread serves. */
  Connection current() {
    Connection connection = open.get(Thread.currentThread());
    if (connection == null) {
      throw new IllegalStateException("expected to be called by the thread of a connection");
    }
    return connection;
  }

  @Override
  public int bytesToIdentifyConnection() {
    return http.bytesToIdentifyConnection();
  }

  @Override
  public Support supports(BufferData data) {
    return http.supports(data);
  }

  @Override
  public Set<String> supportedApplicationProtocols() {
    return http.supportedApplicationProtocols();
  }

  @Override
  public ServerConnection connection(ConnectionContext context) {
    return new Connection(context, http.connection(context));
  }

  /** One connection. Its own thread moves it from phase to phase; the watch looks at it. */
  final class Connection implements ServerConnection {
    private final ConnectionContext context;
    private final ServerConnection served;
    private @Nullable Thread thread;
    private Phase phase = Phase.IDLE;
    private long sinceNanos = ticker.nanos();
    private boolean clientWatched;
    private boolean clientGone;
    private boolean listening;

    Connection(ConnectionContext context, ServerConnection served) {
      this.context = context;
      this.served = served;
    }

    /** Starts a phase, or the same phase's time anew. */
    synchronized void enter(Phase next) {
      phase = next;
      sinceNanos = ticker.nanos();
      clientWatched = false;
    }

    /**
     * Enters {@code WORKING} such that the calling thread is interrupted if the client leaves. The
     * request must have been read to its end, so that nothing else is to come from the client.
     */
    synchronized void work() {
      enter(Phase.WORKING);
      clientWatched = true;
      listening = false;
    }

    /**
     * Ends {@link #work}: the calling thread isn't interrupted any more for a client that leaves.
     *
     * @throws CloseConnectionException if the client has left
     */
    synchronized void endWork() {
      enter(Phase.SENDING);
      if (clientGone) {
        Thread.interrupted();
        throw new CloseConnectionException("the client left before the answer was ready");
      }
    }

    private synchronized void look(long nowNanos) {
      if (thread == null) {
        return;
      }
      long nanos = nowNanos - sinceNanos;
      if (nanos > phase.nanosMax) {
        // Interrupting a thread that waits for a socket closes the socket.
        thread.interrupt();
      } else if (clientWatched && !clientGone && nanos > WATCH_INTERVAL.toNanos()) {
        lookForClient(thread);
      }
    }

    private void lookForClient(Thread worker) {
      // Once for each request: it starts a read that ends when the client leaves.
      if (!listening) {
        listening = true;
        context.serverSocket().idle();
      }
      if (!context.serverSocket().isConnected()) {
        clientGone = true;
        stats.clientLeft();
        worker.interrupt();
      }
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      begin();
      try {
        served.handle(limit);
      } finally {
        end();
      }
    }

    private synchronized void begin() {
      thread = Thread.currentThread();
      open.put(thread, this);
    }

    private synchronized void end() {
      open.remove(Thread.currentThread());
      thread = null;
    }

    @Override
    public Duration idleTime() {
      return served.idleTime();
    }

    @Override
    public void close(boolean interrupt) {
      served.close(interrupt);
    }
  }
}
