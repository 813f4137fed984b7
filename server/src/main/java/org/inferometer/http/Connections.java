package org.inferometer.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.http1.Http1ConnectionSelector;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.io.InputStream;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.time.Ticker;
import org.jspecify.annotations.Nullable;

/**
 * The connections that are open, and a watch over them. It closes those that keep others waiting: a
 * request that dribbles in, an answer that isn't taken. Thread-safe.
 *
 * <p>A client that leaves while its answer is made is noticed, and the work for it interrupted. A
 * client that only ends its sending can't be told from one that leaves, so it isn't waited for
 * either if the answer takes long; Go's server does the same.
 *
 * <p>A connection is in one phase at a time; each has its longest duration.
 */
public final class Connections implements ServerConnectionSelector {
  /** What a connection is doing. */
  public enum Phase {
    /** Nothing, or receiving the head of a request. */
    IDLE(Duration.ofSeconds(60)),
    /** Receiving the body of a request. */
    RECEIVING(Duration.ofSeconds(30)),
    /** Working on the answer; queries have a timeout of their own. */
    WORKING(Duration.ofMinutes(10)),
    /** Sending, without the client taking any of it. */
    SENDING(Duration.ofSeconds(60)),
    /** Waiting for the client to close, with whatever it still sends dropped. */
    LINGERING(Duration.ofSeconds(1));

    private final long nanosMax;

    Phase(Duration max) {
      nanosMax = max.toNanos();
    }
  }

  /** How long an answer may be in the making before the client is listened to meanwhile. */
  private static final Duration LISTEN_AFTER = Duration.ofMillis(250);

  /** How often the watch looks. */
  public static final Duration WATCH_INTERVAL = Duration.ofMillis(200);

  private final ServerConnectionSelector http;
  private final Ticker ticker;

  private final HeldBytes bodies;
  private final HeldBytes results;

  /** By the thread that serves it. */
  private final Map<Thread, Connection> open = new ConcurrentHashMap<>();

  private volatile @Nullable Thread watch;

  Connections(Http1Config config, Ticker ticker, HeldBytes bodies, HeldBytes results) {
    this.http = Http1ConnectionSelector.builder().config(config).build();
    this.ticker = ticker;
    this.bodies = bodies;
    this.results = results;
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

  /** The connection that serves a request. */
  public static Connection of(ServerRequest request) {
    return request.context().get(Connection.class).orElseThrow();
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
    Incoming incoming = new Incoming(context.serverSocket());
    ReadingContext reading = new ReadingContext(context, DataReader.create(incoming));
    return new Connection(http.connection(reading), incoming);
  }

  /** One connection. Its own thread moves it from phase to phase; the watch looks at it. */
  public final class Connection implements ServerConnection {
    private final ServerConnection served;
    private final Incoming incoming;
    private @Nullable Thread thread;
    private Phase phase = Phase.IDLE;
    private long sinceNanos = ticker.nanos();

    /** Whether its thread waits for an answer to be made, and may be told that nobody wants it. */
    private boolean asking;

    private boolean left;

    /** What the body of its request takes of the room; only its own thread asks. */
    private long bodyBytes;

    /** Likewise of its result. */
    private long resultBytes;

    /** The body of its request, once it is read. */
    private @Nullable InputStream body;

    private boolean lingers;

    Connection(ServerConnection served, Incoming incoming) {
      this.served = served;
      this.incoming = incoming;
    }

    /**
     * Takes room for more of the body of its request.
     *
     * @throws RefusedException if there is none; the client may try again
     */
    void holdBody(int bytes) throws RefusedException {
      bodies.take(bytes);
      bodyBytes += bytes;
    }

    /**
     * Takes room for a result until the client has taken it.
     *
     * @throws RefusedException if there is none
     */
    public void holdResult(long bytes) throws RefusedException {
      results.take(bytes);
      resultBytes += bytes;
    }

    /** The request is over. */
    void release() {
      releaseBody();
      body = null;
      results.giveBack(resultBytes);
      resultBytes = 0;
    }

    /** Its body isn't needed any more. */
    void releaseBody() {
      bodies.giveBack(bodyBytes);
      bodyBytes = 0;
    }

    /** The body of its request; the same stream whoever asks. */
    InputStream body(ServerRequest request) {
      InputStream begun = body == null ? request.content().inputStream() : body;
      body = begun;
      return begun;
    }

    boolean hasBegunBody() {
      return body != null;
    }

    /**
     * Has what the client still sends read and dropped for a moment before the connection is
     * closed. Closing while there are bytes to read resets a connection, and the client may lose
     * the answer.
     */
    void linger() {
      lingers = true;
    }

    /** An answer is made from now on; its maker is interrupted if the client leaves. */
    public synchronized void beginAsking() {
      enter(Phase.WORKING);
      asking = true;
    }

    /** The answer is made, or won't be. */
    public synchronized void endAsking() {
      asking = false;
      enter(Phase.SENDING);
    }

    /** Whether an answer would reach nobody. */
    public synchronized boolean hasLeft() {
      return left;
    }

    private synchronized void clientLeft() {
      left = true;
      if (asking && thread != null) {
        thread.interrupt();
      }
    }

    /** Starts a phase, or the same phase's time anew. */
    public synchronized void enter(Phase next) {
      phase = next;
      sinceNanos = ticker.nanos();
    }

    synchronized Phase phase() {
      return phase;
    }

    private synchronized void look(long nowNanos) {
      if (thread == null) {
        return;
      }
      long nanos = nowNanos - sinceNanos;
      if (nanos > phase.nanosMax) {
        // Interrupting a thread that waits for a socket closes the socket.
        thread.interrupt();
      } else if (asking && nanos > LISTEN_AFTER.toNanos()) {
        incoming.readAhead(this::clientLeft);
      }
    }

    @Override
    public void handle(Limit limit) throws InterruptedException {
      begin();
      try {
        served.handle(limit);
      } finally {
        if (lingers) {
          dropIncoming();
        }
        end();
      }
    }

    /** Until the client closes, or its time is over. */
    private void dropIncoming() {
      enter(Phase.LINGERING);
      try {
        while (incoming.hasMore()) {
          // It is dropped.
        }
      } catch (RuntimeException e) {
        // The connection is closed anyway.
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
