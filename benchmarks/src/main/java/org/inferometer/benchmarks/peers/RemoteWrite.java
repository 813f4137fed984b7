package org.inferometer.benchmarks.peers;

import java.io.IOException;
import org.inferometer.io.ProtoWriter;
import org.inferometer.io.Snappy;
import org.inferometer.model.Labels;

/**
 * One request of Prometheus's remote write protocol 1.0 while it is put together. Not thread-safe.
 */
final class RemoteWrite {
  private static final int TIME_SERIES = 1;
  private static final int LABELS = 1;
  private static final int SAMPLES = 2;

  private static final String HEADERS =
      "Content-Type: application/x-protobuf\r\nContent-Encoding: snappy\r\n"
          + "X-Prometheus-Remote-Write-Version: 0.1.0\r\n";

  private final ProtoWriter message = new ProtoWriter(1 << 20);

  /** Samples of one series, in order of time. */
  void add(Labels labels, long[] timesMs, double[] values) {
    message.message(
        TIME_SERIES,
        series -> {
          labels.forEach(
              (name, value) ->
                  series.message(LABELS, label -> label.string(1, name).string(2, value)));
          for (int i = 0; i < timesMs.length; i++) {
            double value = values[i];
            long timeMs = timesMs[i];
            series.message(SAMPLES, sample -> sample.float64(1, value).varint(2, timeMs));
          }
        });
  }

  /** The body of the request. */
  byte[] body() {
    return Snappy.compress(message.array(), message.size());
  }

  /** Sends a body. */
  static void send(LeanHttp peer, byte[] body) throws IOException {
    int status = peer.post("/api/v1/write", HEADERS, body);
    if (status / 100 != 2) {
      throw new IOException(peer.label() + " answered a write with " + status + ": " + peer.text());
    }
  }
}
