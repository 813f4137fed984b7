package org.inferometer.simulator.edge;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import org.inferometer.simulator.edge.AccessLog.Entry;

/**
 * Writes a gateway's log entries as nginx would, without line ends. The format, in nginx's words:
 *
 * <pre>
 * log_format inference '$remote_addr - $remote_user [$time_local] "$request" $status '
 *                      '$body_bytes_sent "$http_referer" "$http_user_agent" '
 *                      'rt=$request_time uct="$upstream_connect_time" '
 *                      'uht="$upstream_header_time" urt="$upstream_response_time" '
 *                      'ua="$upstream_addr" us="$upstream_status" rid="$http_x_request_id"';
 * </pre>
 */
public final class NginxLog {
  private static final DateTimeFormatter ACCESS_TIME =
      DateTimeFormatter.ofPattern("dd/MMM/yyyy:HH:mm:ss Z", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter ERROR_TIME =
      DateTimeFormatter.ofPattern("yyyy/MM/dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Instant start;

  /**
   * @param start the moment at which simulated time is 0
   */
  public NginxLog(Instant start) {
    this.start = start;
  }

  /** A line of the access log. */
  public String line(Entry entry) {
    boolean asked = entry.upstream() != null;
    return entry.client()
        + " - - ["
        + ACCESS_TIME.format(start.plusNanos(entry.endNs()))
        + "] \""
        + entry.method()
        + " "
        + entry.path()
        + " HTTP/1.1\" "
        + entry.status()
        + " "
        + entry.bytes()
        + " \"-\" \"openai-python\" rt="
        + seconds(entry.requestNs())
        + " uct=\""
        + (asked && entry.upstreamStatus() != 502 ? "0.000" : "-")
        + "\" uht=\""
        + seconds(entry.upstreamHeaderNs())
        + "\" urt=\""
        + seconds(entry.upstreamNs())
        + "\" ua=\""
        + (asked ? entry.upstream() : "-")
        + "\" us=\""
        + (entry.upstreamStatus() == 0 ? "-" : Integer.toString(entry.upstreamStatus()))
        + "\" rid=\""
        + entry.requestId()
        + "\"";
  }

  /** A line of the error log. */
  public String line(AccessLog.Failure error) {
    return ERROR_TIME.format(start.plusNanos(error.atNs()))
        + " [error] 29#29: *1 "
        + error.says()
        + ", client: "
        + error.client()
        + ", server: _, request: \""
        + error.method()
        + " "
        + error.path()
        + " HTTP/1.1\", upstream: \"http://"
        + error.upstream()
        + error.path()
        + "\"";
  }

  /** With milliseconds, as nginx does; "-" for none. */
  private static String seconds(long nanos) {
    if (nanos < 0) {
      return "-";
    }
    long millis = nanos / 1_000_000;
    String fraction = Long.toString(1000 + millis % 1000).substring(1);
    return millis / 1000 + "." + fraction;
  }
}
