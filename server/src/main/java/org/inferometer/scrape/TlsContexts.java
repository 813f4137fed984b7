package org.inferometer.scrape;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.inferometer.config.TlsConfig;
import org.jspecify.annotations.Nullable;

/** Keeps a TLS context per kind of trust; a file of certificates is read again when it changes. */
final class TlsContexts {
  private record Trust(boolean anyone, @Nullable Path file, @Nullable FileTime modified) {}

  private final Map<Trust, SSLContext> contexts = new ConcurrentHashMap<>();

  SSLContext of(TlsConfig tls) throws IOException, GeneralSecurityException {
    Path file = tls.insecureSkipVerify() ? null : tls.caFile();
    Trust trust =
        new Trust(
            tls.insecureSkipVerify(), file, file == null ? null : Files.getLastModifiedTime(file));
    SSLContext known = contexts.get(trust);
    if (known == null) {
      known = make(trust);
      contexts.keySet().removeIf(old -> java.util.Objects.equals(old.file, file) && file != null);
      contexts.put(trust, known);
    }
    return known;
  }

  private static SSLContext make(Trust trust) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    TrustManager[] managers =
        trust.anyone
            ? new TrustManager[] {new TrustAnyone()}
            : trust.file == null ? null : managers(trust.file);
    context.init(null, managers, null);
    return context;
  }

  private static TrustManager[] managers(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream in = Files.newInputStream(file)) {
      int n = 0;
      for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        store.setCertificateEntry("ca" + n++, certificate);
      }
      if (n == 0) {
        throw new IOException("no certificate in " + file);
      }
    }
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  /** {@code insecure_skip_verify}: what the user asked for by that name. */
  private static final class TrustAnyone extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
