package org.inferometer.scrape;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.concurrent.TimeoutException;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.inferometer.config.HttpAuth;
import org.inferometer.config.ScrapeConfig;
import org.inferometer.config.TlsConfig;
import org.jspecify.annotations.Nullable;

/** Asks one target over a connection that it keeps. Not thread-safe, but for {@code close}. */
final class HttpClient implements Fetcher.Client {
  private static final int REDIRECTS_MAX = 10;
  private static final int ADDRESSES_MAX = 4;

  /** Bytes behind the gzip's end that are read so that the connection can stay. */
  private static final int REST_MAX = 1024;

  /** As much of the page that comes with an error is read, if any of it is. */
  private static final int SAID_MAX = 2048;

  private final HttpFetcher fetcher;
  private final ScrapeConfig config;
  private final BodyBuffer body;
  private final boolean readsErrors;
  private volatile @Nullable Connection connection;

  /** What it is at, for the sentence about a timeout. */
  private String stage = "";

  private long endNanos;

  /**
   * @param readsErrors whether the page that comes with an error is read
   */
  HttpClient(HttpFetcher fetcher, ScrapeConfig config, boolean readsErrors) {
    this.fetcher = fetcher;
    this.config = config;
    this.readsErrors = readsErrors;
    this.body = new BodyBuffer(fetcher.budget);
  }

  /** An open connection; closing it ends every read and write on it. */
  private static final class Connection {
    private final Socket plain;
    private final Socket socket;
    private final String authority;
    private final HttpInput in;
    private boolean used;

    Connection(Socket plain, Socket socket, String authority) throws IOException {
      this.plain = plain;
      this.socket = socket;
      this.authority = authority;
      this.in = new HttpInput(socket.getInputStream());
    }

    void close() {
      Deadlines.closeQuietly(plain);
    }
  }

  @Override
  public Fetcher.Page fetch(TargetUrl url, long timeoutMs)
      throws ScrapeException, InterruptedException {
    endNanos = fetcher.ticker.nanos() + timeoutMs * 1_000_000;
    boolean done = false;
    try {
      Fetcher.Page page = follow(url, timeoutMs);
      done = true;
      return page;
    } finally {
      if (!done) {
        disconnect();
        body.release();
      }
    }
  }

  private Fetcher.Page follow(TargetUrl first, long timeoutMs)
      throws ScrapeException, InterruptedException {
    TargetUrl url = first;
    for (int i = 0; i <= REDIRECTS_MAX; i++) {
      Answer answer = ask(url, timeoutMs);
      if (answer.page != null) {
        return answer.page;
      }
      url = redirected(first, url, answer.location);
    }
    throw new ScrapeException(
        FailureReason.REDIRECT,
        "stopped after " + REDIRECTS_MAX + " redirects",
        "The target redirects in a circle.");
  }

  /** Either a page or where to look. */
  private record Answer(Fetcher.@Nullable Page page, String location) {}

  private Answer ask(TargetUrl url, long timeoutMs) throws ScrapeException, InterruptedException {
    try {
      boolean kept = isConnectedTo(url);
      try {
        return exchange(url, timeoutMs);
      } catch (Idle e) {
        disconnect();
        if (!kept) {
          throw new EOFException();
        }
        // The server closed the kept connection meanwhile, which says nothing about it.
        return exchange(url, timeoutMs);
      }
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw HttpFailure.of(e, stage, url, isLate(), timeoutMs);
    } catch (GeneralSecurityException e) {
      throw HttpFailure.tls(e, url);
    } catch (TimeoutException e) {
      throw HttpFailure.timeout(stage, timeoutMs);
    }
  }

  /** The connection ended before a byte of the answer came. */
  private static final class Idle extends IOException {
    private static final long serialVersionUID = 1L;
  }

  private boolean isLate() {
    // Deadlines are kept to the millisecond.
    return fetcher.ticker.nanos() + 2_000_000 - endNanos >= 0;
  }

  private long leftMs() throws TimeoutException {
    long left = (endNanos - fetcher.ticker.nanos()) / 1_000_000;
    if (left <= 0) {
      throw new TimeoutException();
    }
    return left;
  }

  // ---------------------------------------------------------------------------- connection

  private boolean isConnectedTo(TargetUrl url) {
    Connection open = connection;
    return open != null
        && open.authority.equals(url.scheme() + "://" + url.authority())
        && !open.plain.isClosed();
  }

  private Connection connect(TargetUrl url)
      throws IOException, GeneralSecurityException, TimeoutException, InterruptedException {
    Connection open = connection;
    if (open != null && isConnectedTo(url)) {
      return open;
    }
    disconnect();
    stage = "looking up the name " + url.host();
    InetAddress[] addresses = fetcher.resolver.addresses(url.host(), leftMs());
    stage = "connecting";
    Socket plain = connect(addresses, url.portToUse());
    boolean done = false;
    try (var deadline = fetcher.deadlines.start(leftMs(), plain)) {
      Socket socket = url.isTls() ? handshake(plain, url) : plain;
      Connection made = new Connection(plain, socket, url.scheme() + "://" + url.authority());
      if (deadline.hasPassed()) {
        throw new TimeoutException();
      }
      connection = made;
      done = true;
      return made;
    } finally {
      if (!done) {
        Deadlines.closeQuietly(plain);
      }
    }
  }

  private Socket connect(InetAddress[] addresses, int port) throws IOException, TimeoutException {
    IOException failure = new UnknownHostException("no address");
    int n = Math.min(addresses.length, ADDRESSES_MAX);
    for (int i = 0; i < n; i++) {
      Socket socket = new Socket();
      boolean connected = false;
      try {
        socket.setTcpNoDelay(true);
        long share = Math.max(1, leftMs() / (n - i));
        socket.connect(new InetSocketAddress(addresses[i], port), (int) share);
        connected = true;
        return socket;
      } catch (IOException e) {
        failure = e;
      } finally {
        if (!connected) {
          Deadlines.closeQuietly(socket);
        }
      }
    }
    throw failure;
  }

  private Socket handshake(Socket plain, TargetUrl url)
      throws IOException, GeneralSecurityException {
    stage = "in the TLS handshake";
    TlsConfig tls = config.tls();
    String name = tls.serverName().isEmpty() ? url.host() : tls.serverName();
    SSLSocket socket =
        (SSLSocket)
            fetcher
                .tlsContexts
                .of(tls)
                .getSocketFactory()
                .createSocket(plain, name, url.portToUse(), true);
    if (!tls.insecureSkipVerify()) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
    }
    socket.startHandshake();
    return socket;
  }

  private void disconnect() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void close() {
    disconnect();
  }

  @Override
  public void release() {
    body.release();
  }

  // ------------------------------------------------------------------------------ exchange

  private Answer exchange(TargetUrl url, long timeoutMs)
      throws IOException,
          ScrapeException,
          GeneralSecurityException,
          TimeoutException,
          InterruptedException {
    byte[] request = request(url, timeoutMs);
    Connection open = connect(url);
    stage = "sending the request";
    try (var deadline = fetcher.deadlines.start(leftMs(), open.plain)) {
      HttpHead head = head(open, request);
      Answer answer = answer(head, open, url);
      if (deadline.hasPassed()) {
        throw new TimeoutException();
      }
      return answer;
    }
  }

  private HttpHead head(Connection open, byte[] request) throws IOException {
    boolean reused = open.used;
    open.used = true;
    long before = open.in.total();
    try {
      open.socket.getOutputStream().write(request);
      open.socket.getOutputStream().flush();
      stage = "waiting for the answer";
      int first = open.in.peek();
      if (first == 0x15 || first == 0x16) {
        throw new HttpHead.Malformed("TLS");
      }
      if (first < 0 && reused) {
        throw new Idle();
      }
      stage = "reading the headers";
      return HttpHead.read(open.in);
    } catch (Idle e) {
      throw e;
    } catch (IOException e) {
      if (reused && open.in.total() == before && !isLate()) {
        throw new Idle();
      }
      throw e;
    }
  }

  private Answer answer(HttpHead head, Connection open, TargetUrl url)
      throws IOException, ScrapeException {
    boolean redirect = head.status() / 100 == 3 && head.header("location") != null;
    if (redirect && config.followRedirects()) {
      disconnect();
      return new Answer(null, String.valueOf(head.header("location")));
    }
    if (head.status() != 200) {
      throw HttpFailure.status(head, url, readsErrors ? said(head, open) : "");
    }
    HttpBody raw = HttpBody.of(head, open.in);
    stage = "reading the body";
    try (InputStream in = head.isGzip() ? new GZIPInputStream(raw, 8192) : raw) {
      body.read(in, config.limits().bodySize());
    } catch (ZipException e) {
      throw HttpFailure.gzip(e);
    } catch (EOFException e) {
      throw new HttpBody.Truncated("part of it");
    }
    skipRest(raw);
    if (!raw.isAtEnd() || !head.keepsConnection()) {
      disconnect();
    }
    return new Answer(
        new Fetcher.Page(
            body.bytes(), body.length(), head.header("content-type"), head.header("date")),
        "");
  }

  /** That it can't be read changes nothing about the error. */
  private static String said(HttpHead head, Connection open) {
    try {
      HttpBody raw = HttpBody.of(head, open.in);
      try (InputStream in = head.isGzip() ? new GZIPInputStream(raw) : raw) {
        return new String(in.readNBytes(SAID_MAX), StandardCharsets.UTF_8);
      }
    } catch (IOException e) {
      return "";
    }
  }

  private static void skipRest(HttpBody raw) throws IOException {
    byte[] rest = new byte[REST_MAX];
    for (int left = REST_MAX; left > 0 && !raw.isAtEnd(); ) {
      int n = raw.read(rest, 0, left);
      if (n < 0) {
        return;
      }
      left -= n;
    }
  }

  private TargetUrl redirected(TargetUrl first, TargetUrl from, String location)
      throws ScrapeException {
    if (location.matches("/([^/\\s]\\S*)?")) {
      return from.withPath(location);
    }
    URI to;
    try {
      to = new URI(from.toString()).resolve(location.strip());
    } catch (java.net.URISyntaxException | IllegalArgumentException e) {
      throw HttpFailure.redirect("a place that is no URL");
    }
    String host = to.getHost() == null ? "" : to.getHost().replaceAll("[\\[\\]]", "");
    String scheme = String.valueOf(to.getScheme());
    boolean known = scheme.equals("http") || scheme.equals("https");
    if (!known || (first.isTls() && !scheme.equals("https"))) {
      throw HttpFailure.redirect("another scheme, " + scheme);
    }
    if (!host.equalsIgnoreCase(first.host())) {
      throw HttpFailure.redirect(
          host.isEmpty() ? "a place that is no URL" : "another host, " + host);
    }
    String query = to.getRawQuery() == null ? "" : "?" + to.getRawQuery();
    String path = to.getRawPath().isEmpty() ? "/" : to.getRawPath();
    return new TargetUrl(scheme, host, Math.max(0, to.getPort()), path + query);
  }

  private byte[] request(TargetUrl url, long timeoutMs) throws ScrapeException {
    StringBuilder request = new StringBuilder(512);
    request.append("GET ").append(url.path()).append(" HTTP/1.1\r\n");
    header(request, "Host", url.authority());
    header(request, "User-Agent", fetcher.userAgent);
    header(request, "Accept", config.accept());
    header(request, "Accept-Encoding", config.compression() ? "gzip" : "identity");
    header(request, "X-Prometheus-Scrape-Timeout-Seconds", Double.toString(timeoutMs / 1000.0));
    try {
      authorize(request);
    } catch (IOException e) {
      throw new ScrapeException(
          FailureReason.CREDENTIALS,
          String.valueOf(e.getMessage()),
          "The credentials can't be used: " + e.getMessage() + ".");
    }
    return request.append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
  }

  private void authorize(StringBuilder request) throws IOException {
    switch (config.auth()) {
      case HttpAuth.Anonymous none -> {}
      case HttpAuth.Basic basic -> {
        String both = basic.username().reveal() + ":" + basic.password().reveal();
        byte[] bytes = both.getBytes(StandardCharsets.UTF_8);
        header(request, "Authorization", "Basic " + Base64.getEncoder().encodeToString(bytes));
      }
      case HttpAuth.Token token -> {
        String credentials = token.credentials().reveal();
        if (credentials.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
          throw new IOException("the token holds a line break or another control character");
        }
        header(request, "Authorization", token.scheme() + " " + credentials);
      }
    }
  }

  private static void header(StringBuilder request, String name, String value) {
    request.append(name).append(": ").append(value).append("\r\n");
  }
}
