package org.inferometer.api;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.inferometer.model.Labels;
import org.inferometer.remote.Block;
import org.inferometer.remote.RemoteException;
import org.inferometer.remote.RemoteReader;
import org.inferometer.remote.WriteProtocol;
import org.inferometer.remote.WriteReceiver;
import org.inferometer.remote.WriteResult;
import org.inferometer.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Remote write and remote read: protobuf messages in snappy blocks. Errors are lines of text, which
 * senders log. Source: the Prometheus remote write specifications 1.0 and 2.0.
 */
public final class RemoteRoutes implements HttpService {
  /**
   * What a byte of a message may take in memory: the shortest texts, samples and histograms are a
   * few bytes of it and become objects.
   */
  private static final int MEMORY_FACTOR = 24;

  /** Of decompressed requests and answers that are worked on at a time; others wait. */
  static final int TOGETHER_BYTES_MAX =
      (int) Math.min(64 << 20, Runtime.getRuntime().maxMemory() / 4 / MEMORY_FACTOR);

  /** Of one decompressed request; senders' default requests are a tenth of it or less. */
  static final int UNCOMPRESSED_BYTES_MAX = Math.min(32 << 20, TOGETHER_BYTES_MAX);

  /** What a read takes of it: its answer isn't known before. */
  private static final int READ_BYTES = TOGETHER_BYTES_MAX / 2;

  private static final String MEDIA_TYPE = "application/x-protobuf";

  private static final HeaderName SAMPLES_WRITTEN =
      HeaderNames.create("X-Prometheus-Remote-Write-Samples-Written");
  private static final HeaderName HISTOGRAMS_WRITTEN =
      HeaderNames.create("X-Prometheus-Remote-Write-Histograms-Written");
  private static final HeaderName EXEMPLARS_WRITTEN =
      HeaderNames.create("X-Prometheus-Remote-Write-Exemplars-Written");

  private final @Nullable WriteReceiver receiver;
  private final RemoteReader reader;
  private final Supplier<Labels> externalLabels;
  private final Semaphore bytes = new Semaphore(TOGETHER_BYTES_MAX, true);

  /** A request that isn't taken, and why. */
  private static final class Refusal extends Exception {
    private static final long serialVersionUID = 1L;

    private final int status;

    Refusal(int status, @Nullable String message) {
      super(message);
      this.status = status;
    }
  }

  /** What is done with a request. */
  @FunctionalInterface
  private interface Work {
    void run() throws RemoteException, IOException;
  }

  /**
   * @param receiver null if samples aren't taken
   * @param externalLabels of everything that leaves this server
   */
  public RemoteRoutes(
      @Nullable WriteReceiver receiver, RemoteReader reader, Supplier<Labels> externalLabels) {
    this.receiver = receiver;
    this.reader = reader;
    this.externalLabels = externalLabels;
  }

  @Override
  public void routing(HttpRules rules) {
    Requests.post(rules, "/api/v1/write", this::write);
    Requests.post(rules, "/api/v1/read", this::read);
  }

  private void write(ServerRequest request, ServerResponse response) throws Exception {
    WriteReceiver taking = receiver;
    if (taking == null) {
      Answer.text(
          request,
          response,
          404,
          "remote write receiver needs to be enabled with --web.enable-remote-write-receiver");
      return;
    }
    try {
      WriteProtocol protocol = protocol(request);
      requireSnappy(request);
      Block block = block(request);
      within(block.messageLength(), () -> write(request, response, taking, protocol, block));
    } catch (Refusal e) {
      Answer.text(request, response, e.status, String.valueOf(e.getMessage()));
    }
  }

  private static void write(
      ServerRequest request,
      ServerResponse response,
      WriteReceiver taking,
      WriteProtocol protocol,
      Block block)
      throws RemoteException, IOException {
    WriteResult result;
    try {
      result = taking.write(protocol, block);
    } catch (StoreException e) {
      Answer.text(request, response, 503, "samples not stored: " + e.getMessage());
      return;
    }
    if (protocol == WriteProtocol.V2) {
      response.header(SAMPLES_WRITTEN, Long.toString(result.samples()));
      response.header(HISTOGRAMS_WRITTEN, Long.toString(result.histograms()));
      response.header(EXEMPLARS_WRITTEN, Long.toString(result.exemplars()));
    }
    answer(request, response, result);
  }

  /** What can be sent again with success later is told apart from what can't. */
  private static void answer(ServerRequest request, ServerResponse response, WriteResult result)
      throws IOException {
    if (result.rejected() == 0 && result.refused() == 0) {
      response.status(Status.NO_CONTENT_204);
      response.send();
      return;
    }
    long lost = result.rejected() + result.refused();
    long all = result.samples() + result.histograms() + lost;
    Answer.text(
        request,
        response,
        result.refused() > 0 ? 503 : 400,
        lost + " of " + all + " samples weren't taken: " + String.join("; ", result.problems()));
  }

  /** Of content types the parameters count; none at all is the first version's. */
  private static WriteProtocol protocol(ServerRequest request) throws Refusal {
    String type = request.headers().first(HeaderNames.CONTENT_TYPE).orElse("");
    if (type.isEmpty()) {
      return WriteProtocol.V1;
    }
    String[] parts = type.split(";", -1);
    if (!parts[0].strip().equalsIgnoreCase(MEDIA_TYPE)) {
      throw new Refusal(415, "expected " + MEDIA_TYPE + " as the media type, got " + type);
    }
    for (int i = 1; i < parts.length; i++) {
      String parameter = parts[i].strip();
      if (parameter.toLowerCase(Locale.ROOT).startsWith("proto=")) {
        return byMessage(parameter.substring("proto=".length()));
      }
    }
    return WriteProtocol.V1;
  }

  private static WriteProtocol byMessage(String name) throws Refusal {
    for (WriteProtocol protocol : WriteProtocol.values()) {
      if (protocol.message().equals(name)) {
        return protocol;
      }
    }
    throw new Refusal(
        415,
        "unknown remote write message "
            + name
            + "; expected "
            + WriteProtocol.V1.message()
            + " or "
            + WriteProtocol.V2.message());
  }

  private static void requireSnappy(ServerRequest request) throws Refusal {
    String encoding = request.headers().first(HeaderNames.CONTENT_ENCODING).orElse("");
    if (!encoding.isEmpty() && !encoding.equals("snappy")) {
      throw new Refusal(
          415, encoding + " encoding (compression) is not accepted; only snappy is acceptable");
    }
  }

  private void read(ServerRequest request, ServerResponse response) throws Exception {
    try {
      requireSnappy(request);
      Block block = block(request);
      within(
          READ_BYTES,
          () -> {
            byte[] answer = reader.read(block, externalLabels.get());
            response.header(HeaderNames.CONTENT_TYPE, MEDIA_TYPE);
            response.header(HeaderNames.CONTENT_ENCODING, "snappy");
            Requests.sending(request);
            response.send(answer);
          });
    } catch (Refusal e) {
      Answer.text(request, response, e.status, String.valueOf(e.getMessage()));
    }
  }

  private static Block block(ServerRequest request) throws Refusal, ApiException, IOException {
    Block block;
    try {
      block = new Block(Requests.bodyAsSent(request));
    } catch (RemoteException e) {
      throw new Refusal(400, e.getMessage());
    }
    if (block.messageLength() > UNCOMPRESSED_BYTES_MAX) {
      throw new Refusal(
          413,
          "the body has "
              + block.messageLength()
              + " bytes decompressed, more than the limit of "
              + UNCOMPRESSED_BYTES_MAX
              + ", which goes by the heap");
    }
    return block;
  }

  /** Waits until there is room for so many bytes. */
  private void within(int bytesNeeded, Work work)
      throws Refusal, IOException, InterruptedException {
    bytes.acquire(bytesNeeded);
    try {
      work.run();
    } catch (RemoteException e) {
      throw new Refusal(400, e.getMessage());
    } finally {
      bytes.release(bytesNeeded);
    }
  }
}
