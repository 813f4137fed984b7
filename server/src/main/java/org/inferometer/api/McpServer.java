package org.inferometer.api;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.io.Bundled;
import org.inferometer.query.QueryException;
import org.jspecify.annotations.Nullable;

/**
 * The Model Context Protocol without its transport: messages of JSON-RPC 2.0 and their answers. It
 * keeps no sessions, as nothing is remembered from message to message. Thread-safe.
 *
 * @see <a href="https://modelcontextprotocol.io/specification">the specification</a>
 */
final class McpServer {
  /** The newest first. */
  static final List<String> VERSIONS = List.of("2025-11-25", "2025-06-18", "2025-03-26");

  /** Agents read it all, and what they read costs them. */
  static final int TEXT_MAX = 256 * 1024;

  /** Error codes of JSON-RPC. */
  static final int NO_JSON = -32700;

  static final int NO_REQUEST = -32600;
  private static final int NO_METHOD = -32601;
  private static final int BAD_PARAMS = -32602;
  private static final int INTERNAL = -32603;

  private static final String INSTRUCTIONS =
      "Inferometer watches servers of language models. Begin with diagnose: it names the cause of"
          + " slowness with evidence for and against, or says that it can't tell; don't guess"
          + " beyond it. list_services has the ids; evidence and query show the numbers behind it."
          + " Times are seconds since 1970 or RFC 3339, in UTC.";

  private final String version;
  private final Map<String, McpTool> tools;
  private final List<?> descriptions;

  /**
   * @param version the program's
   * @param tools by name; those of {@code api/mcp-tools.json}
   */
  McpServer(String version, Map<String, McpTool> tools) {
    this.version = version;
    this.tools = Map.copyOf(tools);
    this.descriptions = descriptions();
  }

  private static List<?> descriptions() {
    String text = Bundled.text("api/mcp-tools.json");
    try {
      return (List<?>) JsonTree.read(text.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What a message is answered with. */
  sealed interface Reply {
    /** A result or an error of a request. */
    record Message(String json) implements Reply {}

    /** It was none: too large, no JSON, no request. */
    record Refused(String json) implements Reply {}

    /** A notification or an answer, which get none. */
    record None() implements Reply {}
  }

  /** The answer to a message. */
  Reply answer(byte[] body) {
    Object message;
    try {
      message = JsonTree.read(body);
    } catch (IOException e) {
      return new Reply.Refused(error(JsonTree.Null.NULL, NO_JSON, "no JSON: " + e.getMessage()));
    }
    if (message instanceof List) {
      return refused("expected one message; batches aren't taken");
    }
    if (!(message instanceof Map<?, ?> object) || !"2.0".equals(object.get("jsonrpc"))) {
      return refused("expected an object with \"jsonrpc\": \"2.0\"");
    }
    return answer(object);
  }

  private static Reply refused(String says) {
    return new Reply.Refused(error(JsonTree.Null.NULL, NO_REQUEST, says));
  }

  private Reply answer(Map<?, ?> message) {
    Object id = message.get("id");
    Object method = message.get("method");
    if (method == null && (message.containsKey("result") || message.containsKey("error"))) {
      return new Reply.None(); // An answer, though nothing was asked.
    }
    if (!(method instanceof String name)) {
      return refused("expected text for \"method\"");
    }
    if (id == null) {
      return new Reply.None(); // Notifications; none of them changes anything here.
    }
    if (!(id instanceof String) && !(id instanceof BigDecimal)) {
      return refused("expected text or a number for \"id\"");
    }
    Object params = message.get("params");
    if (params != null && !(params instanceof Map)) {
      return new Reply.Message(error(id, BAD_PARAMS, "expected an object for \"params\""));
    }
    return new Reply.Message(request(id, name, params == null ? Map.of() : (Map<?, ?>) params));
  }

  private String request(Object id, String method, Map<?, ?> params) {
    return switch (method) {
      case "initialize" -> result(id, json -> initialize(json, params));
      case "ping" -> result(id, _ -> {});
      case "tools/list" -> result(id, this::list);
      case "tools/call" -> call(id, params);
      default ->
          error(id, NO_METHOD, "there is no method \"" + RequestValues.shortened(method) + "\"");
    };
  }

  private void initialize(JsonGenerator json, Map<?, ?> params) throws IOException {
    Object wanted = params.get("protocolVersion");
    json.writeStringField(
        "protocolVersion",
        wanted instanceof String text && VERSIONS.contains(text) ? text : VERSIONS.getFirst());
    json.writeObjectFieldStart("capabilities");
    json.writeObjectFieldStart("tools");
    json.writeBooleanField("listChanged", false);
    json.writeEndObject();
    json.writeEndObject();
    json.writeObjectFieldStart("serverInfo");
    json.writeStringField("name", "inferometer");
    json.writeStringField("title", "Inferometer");
    json.writeStringField("version", version);
    json.writeEndObject();
    json.writeStringField("instructions", INSTRUCTIONS);
  }

  private void list(JsonGenerator json) throws IOException {
    json.writeFieldName("tools");
    JsonTree.write(json, descriptions);
  }

  private String call(Object id, Map<?, ?> params) {
    McpTool tool = params.get("name") instanceof String name ? tools.get(name) : null;
    if (tool == null) {
      return error(
          id, BAD_PARAMS, "expected the \"name\" of a tool: " + String.join(", ", names()));
    }
    Object arguments = params.get("arguments");
    if (arguments != null && !(arguments instanceof Map)) {
      return error(id, BAD_PARAMS, "expected an object for \"arguments\"");
    }
    try {
      return result(id, call(tool, arguments == null ? Map.of() : (Map<?, ?>) arguments));
    } catch (IOException e) {
      return error(id, INTERNAL, String.valueOf(e.getMessage()));
    }
  }

  private List<String> names() {
    return tools.keySet().stream().sorted().toList();
  }

  /** Wrong arguments are a tool's own answer, so that the model sees what to do better. */
  private static Fields call(McpTool tool, Map<?, ?> arguments) throws IOException {
    Map<String, Object> named = new LinkedHashMap<>();
    arguments.forEach((name, value) -> named.put((String) name, value));
    try {
      McpTool.Result result = tool.call(new McpArguments(named));
      String content = text(result.content()::write);
      return content.length() > TEXT_MAX
          ? failed("the answer is longer than " + TEXT_MAX + " characters; ask for less")
          : json -> content(json, result.says(), content);
    } catch (ApiException | QueryException e) {
      return failed(String.valueOf(e.getMessage()));
    }
  }

  private static void content(JsonGenerator json, String says, String content) throws IOException {
    json.writeArrayFieldStart("content");
    if (!says.isEmpty()) {
      textContent(json, says);
    }
    textContent(json, content);
    json.writeEndArray();
    json.writeFieldName("structuredContent");
    json.writeRawValue(content);
    json.writeBooleanField("isError", false);
  }

  private static Fields failed(String says) {
    return json -> {
      json.writeArrayFieldStart("content");
      textContent(json, says);
      json.writeEndArray();
      json.writeBooleanField("isError", true);
    };
  }

  private static void textContent(JsonGenerator json, String text) throws IOException {
    json.writeStartObject();
    json.writeStringField("type", "text");
    json.writeStringField("text", text);
    json.writeEndObject();
  }

  // ------------------------------------------------------------------------------- messages

  /** Writes the fields of a result. */
  private interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  private static String result(Object id, Fields fields) {
    return message(
        id,
        json -> {
          json.writeObjectFieldStart("result");
          fields.write(json);
          json.writeEndObject();
        });
  }

  static String error(Object id, int code, @Nullable String says) {
    return message(
        id,
        json -> {
          json.writeObjectFieldStart("error");
          json.writeNumberField("code", code);
          json.writeStringField("message", says);
          json.writeEndObject();
        });
  }

  private static String message(Object id, Fields rest) {
    try {
      return text(
          json -> {
            json.writeStartObject();
            json.writeStringField("jsonrpc", "2.0");
            json.writeFieldName("id");
            JsonTree.write(json, id);
            rest.write(json);
            json.writeEndObject();
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Fields fields) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = Answer.JSON.createGenerator(text)) {
      fields.write(json);
    }
    return text.toString();
  }
}
