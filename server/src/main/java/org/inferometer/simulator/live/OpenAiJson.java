package org.inferometer.simulator.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.inferometer.model.Version;
import org.inferometer.simulator.request.Request;
import org.jspecify.annotations.Nullable;

/** The JSON that answers of the OpenAI API are, with the fields that vLLM gives, in its order. */
final class OpenAiJson {
  static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8).build();

  /** From this release on an error is inside a field of that name, as OpenAI has it. */
  private static final Version NESTED_ERRORS = version("0.10.1");

  /** From this release on choices have room for token ids. */
  private static final Version TOKEN_IDS = version("0.11.0");

  private OpenAiJson() {}

  private static Version version(String text) {
    Version version = Version.parse(text);
    if (version == null) {
      throw new IllegalArgumentException("expected a release, not " + text);
    }
    return version;
  }

  /** Writes a value. */
  @FunctionalInterface
  interface Value {
    void write(JsonGenerator json) throws IOException;
  }

  static byte[] bytes(Value value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (JsonGenerator json = JSON.createGenerator(bytes)) {
      value.write(json);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * What all JSON of one answer has in common.
   *
   * @param created seconds since 1970
   */
  record Head(OpenAiRequest.Kind kind, String id, long created, String model, Version release) {}

  /** How an answer ended. */
  record End(Request.Finish finish, @Nullable String stopText) {}

  record Usage(int promptTokens, int completionTokens, int cachedTokens) {}

  static byte[] error(OpenAiException error, Version release) {
    return bytes(
        json -> {
          json.writeStartObject();
          if (release.compareTo(NESTED_ERRORS) >= 0) {
            json.writeObjectFieldStart("error");
            writeError(json, error);
            json.writeEndObject();
          } else {
            json.writeStringField("object", "error");
            writeError(json, error);
          }
          json.writeEndObject();
        });
  }

  private static void writeError(JsonGenerator json, OpenAiException error) throws IOException {
    json.writeStringField("message", error.getMessage());
    json.writeStringField("type", error.type());
    writeTextOrNull(json, "param", error.param());
    json.writeNumberField("code", error.status());
  }

  static void writeTextOrNull(JsonGenerator json, String name, @Nullable String text)
      throws IOException {
    json.writeFieldName(name);
    if (text == null) {
      json.writeNull();
    } else {
      json.writeString(text);
    }
  }

  /** What FastAPI says where there is no route, or none for the method. */
  static byte[] detail(String text) {
    return bytes(
        json -> {
          json.writeStartObject();
          json.writeStringField("detail", text);
          json.writeEndObject();
        });
  }

  static byte[] version(Version release) {
    return bytes(
        json -> {
          json.writeStartObject();
          json.writeStringField("version", release.toString());
          json.writeEndObject();
        });
  }

  static byte[] load(int inFlight) {
    return bytes(
        json -> {
          json.writeStartObject();
          json.writeNumberField("server_load", inFlight);
          json.writeEndObject();
        });
  }

  static byte[] models(List<ModelCard> models, long created) {
    return bytes(
        json -> {
          json.writeStartObject();
          json.writeStringField("object", "list");
          json.writeArrayFieldStart("data");
          for (ModelCard model : models) {
            writeModel(json, model, created);
          }
          json.writeEndArray();
          json.writeEndObject();
        });
  }

  private static void writeModel(JsonGenerator json, ModelCard model, long created)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("id", model.id());
    json.writeStringField("object", "model");
    json.writeNumberField("created", created);
    json.writeStringField("owned_by", model.owner());
    json.writeStringField("root", model.id());
    writeTextOrNull(json, "parent", model.parent());
    json.writeNumberField("max_model_len", model.contextMax());
    json.writeEndObject();
  }

  /** The whole answer of a request that doesn't stream. */
  static byte[] whole(Head head, String text, End end, Usage usage) {
    return bytes(
        json -> {
          writeHead(json, head, head.kind().object());
          json.writeStartObject();
          json.writeNumberField("index", 0);
          if (head.kind() == OpenAiRequest.Kind.CHAT) {
            writeMessage(json, text);
          } else {
            json.writeStringField("text", text);
          }
          json.writeNullField("logprobs");
          writeEnd(json, end);
          writeStopReason(json, end);
          json.writeEndObject();
          json.writeEndArray();
          json.writeNullField("service_tier");
          json.writeNullField("system_fingerprint");
          writeUsage(json, usage);
          json.writeEndObject();
        });
  }

  private static void writeMessage(JsonGenerator json, String text) throws IOException {
    json.writeObjectFieldStart("message");
    json.writeStringField("role", "assistant");
    json.writeStringField("content", text);
    json.writeNullField("refusal");
    json.writeArrayFieldStart("tool_calls");
    json.writeEndArray();
    json.writeNullField("reasoning_content");
    json.writeEndObject();
  }

  /** Begins the object and its list of choices. */
  private static void writeHead(JsonGenerator json, Head head, String object) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", head.id());
    json.writeStringField("object", object);
    json.writeNumberField("created", head.created());
    json.writeStringField("model", head.model());
    json.writeArrayFieldStart("choices");
  }

  /** The chunk that a chat begins with: whose turn it is. */
  static byte[] roleChunk(Head head, @Nullable Usage usage) {
    return bytes(
        json -> {
          writeHead(json, head, head.kind().chunkObject());
          json.writeStartObject();
          json.writeNumberField("index", 0);
          json.writeObjectFieldStart("delta");
          json.writeStringField("role", "assistant");
          json.writeStringField("content", "");
          json.writeEndObject();
          json.writeNullField("logprobs");
          json.writeNullField("finish_reason");
          json.writeEndObject();
          json.writeEndArray();
          endChunk(json, head, usage);
        });
  }

  /**
   * Text of a stream.
   *
   * @param end if nothing follows
   */
  static byte[] chunk(Head head, String text, @Nullable End end, @Nullable Usage usage) {
    return bytes(
        json -> {
          writeHead(json, head, head.kind().chunkObject());
          json.writeStartObject();
          json.writeNumberField("index", 0);
          if (head.kind() == OpenAiRequest.Kind.CHAT) {
            writeDelta(json, head, text, end);
          } else {
            json.writeStringField("text", text);
            json.writeNullField("logprobs");
            writeEnd(json, end);
            writeStopReason(json, end);
          }
          json.writeEndObject();
          json.writeEndArray();
          endChunk(json, head, usage);
        });
  }

  private static void writeDelta(JsonGenerator json, Head head, String text, @Nullable End end)
      throws IOException {
    json.writeObjectFieldStart("delta");
    json.writeStringField("content", text);
    json.writeEndObject();
    json.writeNullField("logprobs");
    writeEnd(json, end);
    if (end != null) {
      writeStopReason(json, end);
    }
    if (head.release().compareTo(TOKEN_IDS) >= 0) {
      json.writeNullField("token_ids");
    }
  }

  /** Completions say that they have no usage, chats don't. */
  private static void endChunk(JsonGenerator json, Head head, @Nullable Usage usage)
      throws IOException {
    if (usage != null) {
      writeUsage(json, usage);
    } else if (head.kind() == OpenAiRequest.Kind.COMPLETION) {
      json.writeNullField("usage");
    }
    json.writeEndObject();
  }

  /** The last chunk before the end of a stream whose client asked for it. */
  static byte[] usageChunk(Head head, Usage usage) {
    return bytes(
        json -> {
          writeHead(json, head, head.kind().chunkObject());
          json.writeEndArray();
          writeUsage(json, usage);
          json.writeEndObject();
        });
  }

  private static void writeEnd(JsonGenerator json, @Nullable End end) throws IOException {
    writeTextOrNull(json, "finish_reason", end == null ? null : word(end.finish()));
  }

  private static void writeStopReason(JsonGenerator json, @Nullable End end) throws IOException {
    writeTextOrNull(json, "stop_reason", end == null ? null : end.stopText());
  }

  private static String word(Request.Finish finish) {
    return switch (finish) {
      case STOP -> "stop";
      case LENGTH -> "length";
      case ABORT -> "abort";
      case ERROR -> "error";
    };
  }

  private static void writeUsage(JsonGenerator json, Usage usage) throws IOException {
    json.writeObjectFieldStart("usage");
    json.writeNumberField("prompt_tokens", usage.promptTokens());
    json.writeNumberField("total_tokens", usage.promptTokens() + usage.completionTokens());
    json.writeNumberField("completion_tokens", usage.completionTokens());
    json.writeObjectFieldStart("prompt_tokens_details");
    json.writeNumberField("cached_tokens", usage.cachedTokens());
    json.writeEndObject();
    json.writeEndObject();
  }
}
