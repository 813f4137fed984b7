package org.inferometer.simulator.edge;

import org.jspecify.annotations.Nullable;

/** Who is told of each request that a gateway is done with, and of its errors. */
public interface AccessLog {
  /** For gateways that log nothing. */
  AccessLog NONE =
      new AccessLog() {
        @Override
        public void finished(Entry entry) {}

        @Override
        public void failed(Failure failure) {}
      };

  void finished(Entry entry);

  void failed(Failure failure);

  /**
   * A request that ended. Times are simulated nanoseconds, of the beginning or lengths; -1 is none.
   *
   * @param endNs when it ended
   * @param client address; a workload's
   * @param status as sent to the client: 200 too if a stream broke later
   * @param bytes of the answer's body that were sent
   * @param requestNs from its first byte to the answer's last
   * @param upstream address, null if none was asked
   * @param upstreamStatus what that answered, 0 for nothing
   * @param upstreamHeaderNs until the upstream's first answer
   * @param upstreamNs until its last
   * @param requestId as in X-Request-Id
   */
  record Entry(
      long endNs,
      String client,
      String method,
      String path,
      int status,
      long bytes,
      long requestNs,
      @Nullable String upstream,
      int upstreamStatus,
      long upstreamHeaderNs,
      long upstreamNs,
      String requestId) {}

  /**
   * Something that went wrong with an upstream.
   *
   * @param says what, as nginx says it
   */
  record Failure(
      long atNs, String says, String client, String method, String path, String upstream) {}
}
