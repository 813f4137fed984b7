package org.inferometer.scrape;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import org.inferometer.config.Durations;

/** Says what went wrong on the way to a page. */
final class HttpFailure {
  private HttpFailure() {}

  static ScrapeException timeout(String stage, long timeoutMs) {
    return new ScrapeException(
        FailureReason.TIMEOUT,
        "context deadline exceeded while " + stage,
        "The target didn't answer within "
            + Durations.format(timeoutMs)
            + ": time was up while "
            + stage
            + ".");
  }

  static ScrapeException of(
      IOException e, String stage, TargetUrl url, boolean late, long timeoutMs) {
    if (late || e instanceof SocketTimeoutException) {
      return timeout(stage, timeoutMs);
    }
    return switch (e) {
      case UnknownHostException unknown ->
          failure(
              FailureReason.ADDRESS,
              "no such host " + url.host(),
              "There is no host " + url.host() + ": check the name, and the DNS of this machine.");
      case ConnectException refused ->
          failure(
              FailureReason.CONNECT,
              "connect to " + url.authority() + ": " + message(refused),
              "Nothing listens at "
                  + url.host()
                  + " port "
                  + url.portToUse()
                  + ": is the target running, and is this its port?");
      case NoRouteToHostException noRoute ->
          failure(
              FailureReason.CONNECT,
              "connect to " + url.authority() + ": " + message(noRoute),
              "There is no way to " + url.host() + " from this machine.");
      case SSLException tls -> tls(tls, url);
      case HttpBody.Truncated truncated ->
          failure(
              FailureReason.TRUNCATED,
              "unexpected end of the body after " + message(truncated),
              "The connection ended in the middle of the body, after "
                  + message(truncated)
                  + "; nothing of it was kept.");
      case HttpHead.Malformed malformed -> malformed(malformed, url);
      case EOFException end ->
          failure(
              FailureReason.PROTOCOL,
              "EOF while " + stage,
              "The target closed the connection without an answer.");
      default ->
          failure(
              FailureReason.CONNECT,
              "connection failed while " + stage + ": " + message(e),
              "The connection broke while " + stage + ": " + message(e) + ".");
    };
  }

  private static ScrapeException malformed(HttpHead.Malformed e, TargetUrl url) {
    if (message(e).equals("TLS")) {
      return failure(
          FailureReason.TLS,
          "TLS record where HTTP was expected",
          "The target speaks TLS: use https://" + url.authority() + ".");
    }
    return failure(
        FailureReason.PROTOCOL,
        "malformed HTTP response: " + message(e),
        "The target doesn't speak HTTP/1.1 properly: it sent " + message(e) + ".");
  }

  static ScrapeException tls(Exception e, TargetUrl url) {
    String message = message(e);
    String lower = message.toLowerCase(Locale.ROOT);
    String sentence;
    if (lower.contains("unrecognized ssl message") || lower.contains("plaintext")) {
      sentence = "The target speaks no TLS: use http://" + url.authority() + ".";
    } else if (lower.contains("path") || lower.contains("self-signed")) {
      sentence =
          "The target's certificate isn't signed by anyone who is trusted here: set ca_file, or"
              + " insecure_skip_verify.";
    } else if (lower.contains("subject alternative") || lower.contains("no name matching")) {
      sentence = "The target's certificate is for another name: set server_name, or use that name.";
    } else {
      sentence = "No TLS connection came about: " + message + ".";
    }
    return failure(FailureReason.TLS, "tls: " + message, sentence);
  }

  static ScrapeException gzip(ZipException e) {
    return failure(
        FailureReason.ENCODING,
        "gzip: " + message(e),
        "The body should be gzip, by its Content-Encoding, but isn't: " + message(e) + ".");
  }

  /**
   * @param page the beginning of the page that came with it, or ""
   */
  static ScrapeException status(HttpHead head, TargetUrl url, String page) {
    String said = head.status() + (head.reason().isEmpty() ? "" : " " + printable(head.reason()));
    String advice =
        switch (head.status()) {
          case 401, 403 -> ": credentials are missing or wrong.";
          case 404 -> ": there is nothing at " + url.path() + "; check the path.";
          case 503 -> ": it isn't ready, or overloaded.";
          default -> head.status() >= 500 ? ": an error of its own; see its log." : ".";
        };
    return new ScrapeException(
        FailureReason.STATUS,
        "server returned HTTP status " + said,
        "The target answered " + said + advice,
        page);
  }

  static ScrapeException redirect(String where) {
    return failure(
        FailureReason.REDIRECT,
        "redirect to " + printable(where) + " refused",
        "The target redirects to " + printable(where) + ", which isn't followed.");
  }

  private static ScrapeException failure(FailureReason reason, String error, String sentence) {
    return new ScrapeException(reason, error, sentence);
  }

  private static String message(Exception e) {
    String message = e.getMessage();
    return message == null || message.isEmpty() ? e.getClass().getSimpleName() : printable(message);
  }

  /** What a stranger sent, fit for a log: short and without control characters. */
  static String printable(String text) {
    String line = text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]", " ").strip();
    return line.length() > 200 ? line.substring(0, 200) + "..." : line;
  }
}
