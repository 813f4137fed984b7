package org.inferometer.api;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.inferometer.http.Connections;
import org.jspecify.annotations.Nullable;

/**
 * The body of a response while it is written. It is kept in memory while it is small, so that it
 * gets a length and one packet; beyond that it is streamed in constant memory, compressed if the
 * client takes that. For a HEAD request only the headers go out.
 */
final class Answer extends OutputStream {
  /** Below this a body goes out whole. */
  private static final int WHOLE_MAX = 32 * 1024;

  /** Below this compressing costs more than it saves. */
  private static final int COMPRESSED_MIN = 1024;

  /** Characters beyond 16 bits go out as UTF-8, not as a pair of escapes. */
  static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  /** Writes the value of {@code data} in the envelope. */
  @FunctionalInterface
  interface Data {
    void write(JsonGenerator json) throws IOException;
  }

  private final ServerRequest request;
  private final ServerResponse response;
  private final boolean bodyWanted;
  private byte[] head = new byte[2048];
  private int length;
  private @Nullable OutputStream stream;
  private boolean streaming;

  private Answer(ServerRequest request, ServerResponse response) {
    this.request = request;
    this.response = response;
    this.bodyWanted = !request.prologue().method().equals(Method.HEAD);
  }

  /** Answers with {@code {"status":"success","data":...}}. */
  static void success(ServerRequest request, ServerResponse response, Data data)
      throws IOException {
    success(request, response, data, List.of(), List.of());
  }

  /** The same, with warnings and infos if there are any. */
  static void success(
      ServerRequest request,
      ServerResponse response,
      Data data,
      List<String> warnings,
      List<String> infos)
      throws IOException {
    json(
        request,
        response,
        json -> {
          json.writeStartObject();
          json.writeStringField("status", "success");
          json.writeFieldName("data");
          data.write(json);
          writeTexts(json, "warnings", warnings);
          writeTexts(json, "infos", infos);
          json.writeEndObject();
        });
  }

  static void writeTexts(JsonGenerator json, String name, List<String> texts) throws IOException {
    if (!texts.isEmpty()) {
      json.writeArrayFieldStart(name);
      for (String text : texts) {
        json.writeString(text);
      }
      json.writeEndArray();
    }
  }

  /** Answers with the status of an error and {@code {"status":"error",...}}. */
  static void error(
      ServerRequest request, ServerResponse response, ApiException.Kind kind, String message)
      throws IOException {
    response.status(Status.create(kind.status()));
    json(request, response, json -> writeError(json, kind.type(), message));
  }

  static void writeError(JsonGenerator json, String type, String message) throws IOException {
    json.writeStartObject();
    json.writeStringField("status", "error");
    json.writeStringField("errorType", type);
    json.writeStringField("error", message);
    json.writeEndObject();
  }

  private static void json(ServerRequest request, ServerResponse response, Data whole)
      throws IOException {
    response.header(HeaderNames.CONTENT_TYPE, "application/json");
    Answer answer = new Answer(request, response);
    try (JsonGenerator json = JSON.createGenerator(answer, JsonEncoding.UTF8)) {
      whole.write(json);
    }
  }

  /** Answers with a body of another kind, streamed as it is written. */
  static OutputStream stream(ServerRequest request, ServerResponse response, String contentType) {
    response.header(HeaderNames.CONTENT_TYPE, contentType);
    return new Answer(request, response);
  }

  /** Answers with a status and a line of text, which some protocols have instead of JSON. */
  static void text(ServerRequest request, ServerResponse response, int status, String text)
      throws IOException {
    response.status(Status.create(status));
    text(request, response, text + "\n");
  }

  static void text(ServerRequest request, ServerResponse response, String text) throws IOException {
    try (OutputStream out = stream(request, response, "text/plain; charset=utf-8")) {
      out.write(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
  }

  /** Whether the client takes gzip. */
  static boolean takesGzip(ServerRequest request) {
    return request
        .headers()
        .first(HeaderNames.ACCEPT_ENCODING)
        .map(accept -> names("gzip", accept))
        .orElse(false);
  }

  private static boolean names(String coding, String acceptEncoding) {
    for (String part : acceptEncoding.toLowerCase(Locale.ROOT).split(",")) {
      String[] nameAndWeight = part.replace(" ", "").split(";", 2);
      if (nameAndWeight[0].strip().equals(coding)) {
        return nameAndWeight.length == 1 || !nameAndWeight[1].matches("q=0(\\.0*)?");
      }
    }
    return false;
  }

  /** How the body is compressed: what the client takes, gzip before deflate; null for plain. */
  private static @Nullable String coding(ServerRequest request) {
    String accept = request.headers().first(HeaderNames.ACCEPT_ENCODING).orElse("");
    return names("gzip", accept) ? "gzip" : names("deflate", accept) ? "deflate" : null;
  }

  /** Closing it ends what is compressed. */
  private static OutputStream compressing(String coding, OutputStream out) throws IOException {
    return coding.equals("gzip")
        ? new FastGzip(out)
        : new DeflaterOutputStream(out, new Deflater(1), 8192);
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    if (!streaming && length + count > WHOLE_MAX) {
      startStreaming();
    }
    if (streaming) {
      if (stream != null) {
        stream.write(bytes, offset, count);
      }
      return;
    }
    if (length + count > head.length) {
      head = Arrays.copyOf(head, Math.min(WHOLE_MAX, Math.max(head.length * 2, length + count)));
    }
    System.arraycopy(bytes, offset, head, length, count);
    length += count;
  }

  private void startStreaming() throws IOException {
    streaming = true;
    if (!bodyWanted) {
      return;
    }
    request
        .context()
        .get(Connections.Connection.class)
        .ifPresent(connection -> response.streamFilter(out -> new Progress(out, connection)));
    String coding = coding(request);
    if (coding != null) {
      response.header(HeaderNames.CONTENT_ENCODING, coding);
      response.headers().add(HeaderNames.VARY, "Accept-Encoding");
      stream = new BufferedOutputStream(compressing(coding, response.outputStream()), WHOLE_MAX);
    } else {
      stream = new BufferedOutputStream(response.outputStream(), WHOLE_MAX);
    }
    stream.write(head, 0, length);
  }

  /** Nothing of a whole body goes out before its end, so that its length is known. */
  @Override
  public void flush() throws IOException {
    if (stream != null) {
      stream.flush();
    }
  }

  @Override
  public void close() throws IOException {
    if (response.isSent()) {
      return;
    }
    String coding = coding(request);
    if (stream != null) {
      stream.close();
    } else if (streaming) {
      response.send();
    } else if (length >= COMPRESSED_MIN && coding != null) {
      sendWhole(compressed(coding));
    } else {
      sendWhole(Arrays.copyOf(head, length));
    }
  }

  private byte[] compressed(String coding) throws IOException {
    response.header(HeaderNames.CONTENT_ENCODING, coding);
    response.headers().add(HeaderNames.VARY, "Accept-Encoding");
    var bytes = new java.io.ByteArrayOutputStream(length / 2);
    try (OutputStream out = compressing(coding, bytes)) {
      out.write(head, 0, length);
    }
    return bytes.toByteArray();
  }

  private void sendWhole(byte[] body) {
    response.header(HeaderNames.CONTENT_LENGTH, Integer.toString(body.length));
    response.send(bodyWanted ? body : new byte[0]);
  }

  /** Tells the connection's watch that the client takes what is sent. */
  private static final class Progress extends FilterOutputStream {
    private final Connections.Connection connection;

    Progress(OutputStream out, Connections.Connection connection) {
      super(out);
      this.connection = connection;
    }

    @Override
    public void write(byte[] bytes, int offset, int count) throws IOException {
      out.write(bytes, offset, count);
      connection.enter(Connections.Phase.SENDING);
    }
  }

  /** Gzip at its fastest level: numbers as text shrink about as well as at higher ones. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, 8192);
      def.setLevel(1);
    }
  }
}
