package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import org.inferometer.time.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {
  private static final char[] PASSWORD = "changeit".toCharArray();

  @TempDir private static Path folder;
  private static SSLContext context;
  private static Path caFile;

  private final HttpFetcher fetcher = new HttpFetcher(Ticker.system(), "test");
  private SSLServerSocket listener;

  /** A certificate for the name engine.test, signed by itself. */
  @BeforeAll
  static void makeCertificate() throws Exception {
    Path store = folder.resolve("store.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "a",
                "-keyalg",
                "EC",
                "-dname",
                "CN=engine.test",
                "-ext",
                "san=dns:engine.test",
                "-validity",
                "10000",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    caFile = folder.resolve("ca.pem");
    Files.writeString(caFile, pem(keys));
  }

  private static String pem(KeyStore keys) throws GeneralSecurityException {
    byte[] der = keys.getCertificate("a").getEncoded();
    return "-----BEGIN CERTIFICATE-----\n"
        + Base64.getMimeEncoder().encodeToString(der)
        + "\n-----END CERTIFICATE-----\n";
  }

  @BeforeEach
  void listen() throws IOException {
    listener =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  private void serve() {
    while (!listener.isClosed()) {
      serveOne();
    }
  }

  private void serveOne() {
    try (Socket socket = listener.accept()) {
      if (socket.getInputStream().read() >= 0) {
        socket
            .getOutputStream()
            .write(
                "HTTP/1.0 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\na 1\n"
                    .getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      // A handshake that the other side gave up, or the end of the test.
      return;
    }
  }

  @AfterEach
  void close() throws IOException {
    listener.close();
    fetcher.close();
  }

  private Fetcher.Page get(String tls) throws ScrapeException, InterruptedException {
    Target target =
        Target.of(
                ScrapeWorld.configs(
                        "scrape_configs: [{job_name: j, scheme: https, static_configs: [{targets:"
                            + " ['127.0.0.1:"
                            + listener.getLocalPort()
                            + "']}], tls_config: {"
                            + tls
                            + "}}]")
                    .getFirst())
            .targets()
            .getFirst();
    try (Fetcher.Client client = fetcher.client(target)) {
      return client.fetch(target.url(), 20_000);
    }
  }

  private String sentence(String tls) {
    ScrapeException failure = catchThrowableOfType(ScrapeException.class, () -> get(tls));
    assertThat(failure).isNotNull();
    assertThat(failure.reason()).isEqualTo(FailureReason.TLS);
    return failure.sentence();
  }

  @Test
  void certificateOfTheFile_isTrustedForItsName() throws Exception {
    assertThat(get("ca_file: '" + caFile + "', server_name: engine.test").length()).isEqualTo(4);
  }

  @Test
  void anyCertificate_isTrustedIfAskedFor() throws Exception {
    assertThat(get("insecure_skip_verify: true").length()).isEqualTo(4);
  }

  @Test
  void otherCertificates_areRefused() {
    assertThat(sentence("")).contains("isn't signed by anyone who is trusted here");
    assertThat(sentence("ca_file: '" + caFile + "'")).contains("for another name");
    assertThat(sentence("ca_file: '" + caFile + "', server_name: other.test"))
        .contains("for another name");
  }

  @Test
  void missingCaFile_isSaid() {
    ScrapeException failure =
        catchThrowableOfType(ScrapeException.class, () -> get("ca_file: /nowhere/ca.pem"));
    assertThat(failure).isNotNull();
    assertThat(failure.sentence()).contains("/nowhere/ca.pem");
  }
}
