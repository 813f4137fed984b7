package org.inferometer.simulator.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the JSON of a request. What it doesn't know is passed over, as real servers do; what it
 * knows and can't do is said. Not thread-safe.
 */
final class OpenAiReader {
  private static final int NESTING_MAX = 100;
  private static final int MESSAGES_MAX = 10_000;
  private static final int PARTS_MAX = 100_000;
  private static final int STOPS_MAX = 16;
  private static final int STOP_LENGTH_MAX = 1000;
  private static final int ROLE_LENGTH_MAX = 64;
  private static final int TOKEN_ID_MAX = 10_000_000;
  private static final int TOKENS_MAX = 100_000_000;

  /** No model takes more. */
  private static final int PROMPT_IDS_MAX = 1_000_000;

  /** What a completion has if it doesn't say. Source: OpenAI's API reference. */
  private static final int COMPLETION_TOKENS = 16;

  private static final JsonFactory JSON =
      JsonFactory.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .streamReadConstraints(
              StreamReadConstraints.builder().maxNestingDepth(NESTING_MAX).build())
          .build();

  private final OpenAiRequest.Kind kind;
  private final JsonParser json;
  private final List<OpenAiRequest.Content> content = new ArrayList<>();
  private final List<String> stop = new ArrayList<>();
  private @Nullable String model;
  private @Nullable Integer maxTokens;
  private @Nullable Integer maxCompletionTokens;
  private int minTokens;
  private boolean ignoreEos;
  private double temperature = 1;
  private @Nullable Long seed;
  private boolean penalties;
  private int priority;
  private boolean stream;
  private boolean hasStreamOptions;
  private boolean includeUsage;
  private boolean continuousUsage;
  private boolean hasPrompt;

  private OpenAiReader(OpenAiRequest.Kind kind, JsonParser json) {
    this.kind = kind;
    this.json = json;
  }

  /**
   * @throws OpenAiException if it can't be read, or asks for what isn't done here
   */
  static OpenAiRequest read(OpenAiRequest.Kind kind, byte[] body) throws OpenAiException {
    try (JsonParser json = JSON.createParser(body)) {
      OpenAiReader reader = new OpenAiReader(kind, json);
      json.nextToken();
      reader.readAll();
      if (json.nextToken() != null) {
        throw reader.wrong("the end of the body");
      }
      return reader.request();
    } catch (JsonProcessingException e) {
      throw OpenAiException.malformed(
          "the body isn't JSON: " + e.getOriginalMessage() + at(e.getLocation()));
    } catch (IOException e) {
      throw OpenAiException.malformed("the body can't be read: " + e.getMessage());
    }
  }

  private OpenAiRequest request() throws OpenAiException {
    if (!hasPrompt) {
      throw OpenAiException.malformed(
          kind == OpenAiRequest.Kind.CHAT
              ? "expected \"messages\", a list of messages"
              : "expected \"prompt\", a text or a list of token ids");
    }
    if (hasStreamOptions && !stream) {
      throw OpenAiException.malformed("\"stream_options\" goes with \"stream\": true only");
    }
    Integer limit = maxCompletionTokens == null ? maxTokens : maxCompletionTokens;
    if (limit == null && kind == OpenAiRequest.Kind.COMPLETION) {
      limit = COMPLETION_TOKENS;
    }
    if (limit != null && minTokens > limit) {
      throw OpenAiException.badRequest(
          "min_tokens",
          "min_tokens must be less than or equal to max_tokens=" + limit + ", got " + minTokens);
    }
    return new OpenAiRequest(
        kind,
        model,
        content,
        limit,
        minTokens,
        ignoreEos,
        temperature,
        seed,
        stop,
        penalties,
        priority,
        stream,
        includeUsage,
        continuousUsage);
  }

  /** Takes the value of a key. */
  @FunctionalInterface
  private interface Field {
    void read(String name) throws IOException, OpenAiException;
  }

  /** Takes an element of a list. */
  @FunctionalInterface
  private interface Element {
    void read() throws IOException, OpenAiException;
  }

  private void readAll() throws IOException, OpenAiException {
    object("an object", this::readField);
  }

  private void readField(String name) throws IOException, OpenAiException {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return;
    }
    switch (name) {
      case "model" -> model = text(name);
      case "prompt" -> readPrompt();
      case "messages" -> readMessages();
      case "max_tokens" -> maxTokens = whole(name, 1, TOKENS_MAX);
      case "max_completion_tokens" -> maxCompletionTokens = whole(name, 1, TOKENS_MAX);
      case "min_tokens" -> minTokens = whole(name, 0, TOKENS_MAX);
      case "ignore_eos" -> ignoreEos = bool(name);
      case "temperature" -> temperature = number(name, 0, 1e6);
      case "seed" -> seed = (long) number(name, Long.MIN_VALUE, Long.MAX_VALUE);
      case "stop" -> readStop();
      case "presence_penalty", "frequency_penalty" -> penalties |= number(name, -2, 2) != 0;
      case "repetition_penalty" -> penalties |= number(name, 0, 1e6) != 1;
      case "priority" -> priority = whole(name, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case "stream" -> stream = bool(name);
      case "stream_options" -> readStreamOptions();
      default -> readOther(name);
    }
  }

  private void readOther(String name) throws IOException, OpenAiException {
    switch (name) {
      case "n", "best_of" -> refuse(name, whole(name, 1, TOKENS_MAX) > 1, "more than one answer");
      case "echo" -> refuse(name, bool(name), "the prompt in the answer");
      case "use_beam_search" -> refuse(name, bool(name), "beam search");
      case "suffix" -> refuse(name, !text(name).isEmpty(), "text after the answer");
      case "logprobs", "top_logprobs", "prompt_logprobs" ->
          refuse(
              name,
              json.currentToken() != JsonToken.VALUE_FALSE && !json.getText().equals("0"),
              "probabilities of tokens");
      default -> json.skipChildren();
    }
  }

  private static void refuse(String param, boolean isAsked, String what) throws OpenAiException {
    if (isAsked) {
      throw OpenAiException.badRequest(
          param, "the simulator doesn't give " + what + " (\"" + param + "\")");
    }
  }

  private void readStreamOptions() throws IOException, OpenAiException {
    hasStreamOptions = true;
    object(
        "an object for \"stream_options\"",
        name -> {
          switch (name) {
            case "include_usage" -> includeUsage = bool(name);
            case "continuous_usage_stats" -> continuousUsage = bool(name);
            default -> json.skipChildren();
          }
        });
  }

  private void readStop() throws IOException, OpenAiException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      addStop();
    } else {
      list("a text or a list of texts for \"stop\"", STOPS_MAX, this::addStop);
    }
  }

  private void addStop() throws IOException, OpenAiException {
    String text = text("stop");
    if (text.isEmpty() || text.length() > STOP_LENGTH_MAX) {
      throw wrong("from 1 to " + STOP_LENGTH_MAX + " characters in \"stop\"");
    }
    stop.add(text);
  }

  private void readPrompt() throws IOException, OpenAiException {
    refuseOfOtherCall(OpenAiRequest.Kind.COMPLETION);
    hasPrompt = true;
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      content.add(new OpenAiRequest.Content.Text(json.getText()));
      return;
    }
    List<Integer> ids = new ArrayList<>();
    list("a text or a list for \"prompt\"", PROMPT_IDS_MAX, () -> readPromptElement(ids));
    if (!ids.isEmpty()) {
      content.add(new OpenAiRequest.Content.Ids(ids));
    }
    if (content.size() > 1) {
      throw OpenAiException.badRequest("prompt", "the simulator takes one prompt in a request");
    }
  }

  private void readPromptElement(List<Integer> ids) throws IOException, OpenAiException {
    switch (json.currentToken()) {
      case VALUE_STRING -> addPrompt(new OpenAiRequest.Content.Text(json.getText()));
      case START_ARRAY -> {
        List<Integer> whole = new ArrayList<>();
        list("token ids", PROMPT_IDS_MAX, () -> whole.add(whole("prompt", 0, TOKEN_ID_MAX)));
        addPrompt(new OpenAiRequest.Content.Ids(whole));
      }
      default -> ids.add(whole("prompt", 0, TOKEN_ID_MAX));
    }
  }

  private void addPrompt(OpenAiRequest.Content prompt) throws OpenAiException {
    content.add(prompt);
    if (content.size() > 1) {
      throw OpenAiException.badRequest("prompt", "the simulator takes one prompt in a request");
    }
  }

  private void readMessages() throws IOException, OpenAiException {
    refuseOfOtherCall(OpenAiRequest.Kind.CHAT);
    hasPrompt = true;
    list("a list for \"messages\"", MESSAGES_MAX, this::readMessage);
    if (content.isEmpty()) {
      throw wrong("a message at least in \"messages\"");
    }
  }

  private void refuseOfOtherCall(OpenAiRequest.Kind of) throws OpenAiException {
    if (kind != of) {
      throw OpenAiException.malformed(
          kind == OpenAiRequest.Kind.CHAT
              ? "\"prompt\" is for /v1/completions; this call takes \"messages\""
              : "\"messages\" is for /v1/chat/completions; this call takes \"prompt\"");
    }
  }

  private void readMessage() throws IOException, OpenAiException {
    int begin = content.size();
    String[] role = {""};
    object(
        "an object in \"messages\"",
        name -> {
          switch (name) {
            case "role" -> role[0] = text(name);
            case "content" -> readContent();
            default -> json.skipChildren();
          }
        });
    if (role[0].isEmpty() || role[0].length() > ROLE_LENGTH_MAX) {
      throw wrong("a \"role\" of each message");
    }
    content.add(begin, new OpenAiRequest.Content.MessageBegin(role[0]));
    content.add(new OpenAiRequest.Content.MessageEnd());
  }

  private void readContent() throws IOException, OpenAiException {
    switch (json.currentToken()) {
      case VALUE_STRING -> content.add(new OpenAiRequest.Content.Text(json.getText()));
      case VALUE_NULL -> {
        // A message that only calls tools.
      }
      default -> list("a text or a list of parts for \"content\"", PARTS_MAX, this::readPart);
    }
  }

  private void readPart() throws IOException, OpenAiException {
    String[] type = {""};
    String[] value = {""};
    object(
        "an object in \"content\"",
        name -> {
          switch (name) {
            case "type" -> type[0] = text(name);
            case "text" -> value[0] = text(name);
            case "image_url" -> value[0] = url();
            default -> json.skipChildren();
          }
        });
    switch (type[0]) {
      case "text" -> content.add(new OpenAiRequest.Content.Text(value[0]));
      case "image_url" -> content.add(new OpenAiRequest.Content.Image(value[0]));
      default -> throw wrong("a part of type \"text\" or \"image_url\"");
    }
  }

  private String url() throws IOException, OpenAiException {
    if (json.currentToken() == JsonToken.VALUE_STRING) {
      return json.getText();
    }
    String[] url = {""};
    object(
        "an object for \"image_url\"",
        name -> {
          if (name.equals("url")) {
            url[0] = text(name);
          } else {
            json.skipChildren();
          }
        });
    return url[0];
  }

  private void object(String words, Field field) throws IOException, OpenAiException {
    expect(JsonToken.START_OBJECT, words);
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      field.read(name);
    }
  }

  private void list(String words, int max, Element element) throws IOException, OpenAiException {
    expect(JsonToken.START_ARRAY, words);
    int count = 0;
    while (json.nextToken() != JsonToken.END_ARRAY) {
      if (++count > max) {
        throw wrong("no more than " + max + " in a list");
      }
      element.read();
    }
  }

  private String text(String name) throws IOException, OpenAiException {
    expect(JsonToken.VALUE_STRING, "a text for \"" + name + "\"");
    return json.getText();
  }

  private boolean bool(String name) throws OpenAiException {
    if (!json.currentToken().isBoolean()) {
      throw wrong("true or false for \"" + name + "\"");
    }
    return json.currentToken() == JsonToken.VALUE_TRUE;
  }

  private double number(String name, double min, double max) throws IOException, OpenAiException {
    if (!json.currentToken().isNumeric()) {
      throw wrong("a number for \"" + name + "\"");
    }
    double value = json.getDoubleValue();
    if (!(value >= min && value <= max)) {
      throw OpenAiException.badRequest(
          name, name + " must be from " + shown(min) + " to " + shown(max) + ", got " + value);
    }
    return value;
  }

  private int whole(String name, int min, int max) throws IOException, OpenAiException {
    double value = number(name, min, max);
    if (value != Math.rint(value)) {
      throw wrong("a whole number for \"" + name + "\"");
    }
    return (int) value;
  }

  private static String shown(double bound) {
    return bound == Math.rint(bound) ? Long.toString((long) bound) : Double.toString(bound);
  }

  private void expect(JsonToken expected, String words) throws OpenAiException {
    if (json.currentToken() != expected) {
      throw wrong(words);
    }
  }

  private OpenAiException wrong(String expected) {
    return OpenAiException.malformed("expected " + expected + at(json.currentTokenLocation()));
  }

  private static String at(@Nullable JsonLocation location) {
    return location == null
        ? ""
        : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
  }
}
