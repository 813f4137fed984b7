package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Version;
import org.inferometer.simulator.measure.EngineQuantity;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenAiRoutesTest {
  private static final String CHAT = "/v1/chat/completions";
  private static final String COMPLETIONS = "/v1/completions";

  private LiveRig rig = new LiveRig();

  @AfterEach
  void close() {
    rig.close();
  }

  private static String chat(String rest) {
    return "{\"model\":\"small-1b\",\"messages\":[{\"role\":\"user\",\"content\":\"Tell me a"
        + " story\"}],"
        + rest
        + "}";
  }

  private static String completion(String prompt, String rest) {
    return "{\"model\":\"small-1b\",\"prompt\":\"" + prompt + "\"," + rest + "}";
  }

  @Test
  void stream_hasATokenForEachSimulatedStep() throws Exception {
    try (LiveRig.Stream stream =
        rig
        .new Stream(
            CHAT,
            chat(
                "\"stream\":true,\"temperature\":0,\"max_tokens\":20,\"ignore_eos\":true,"
                    + "\"stream_options\":{\"include_usage\":true}"))) {
      rig.awaitInside(1);
      rig.clock.advance(LiveRig.STEP_MS);
      assertThat(stream.event())
          .contains(
              "\"delta\":{\"role\":\"assistant\",\"content\":\"\"}", "\"finish_reason\":null");
      List<String> chunks = new ArrayList<>();
      chunks.add(stream.event());
      for (int i = 1; i < 20; i++) {
        rig.clock.advance(LiveRig.STEP_MS);
        chunks.add(stream.event());
      }
      assertThat(chunks).allMatch(chunk -> chunk.contains("\"delta\":{\"content\":\""));
      assertThat(chunks.subList(0, 19)).allMatch(chunk -> chunk.contains("\"finish_reason\":null"));
      assertThat(chunks.getLast())
          .contains("\"finish_reason\":\"length\",\"stop_reason\":null")
          .doesNotContain("\"content\":\"\"");
      assertThat(stream.event())
          .contains(
              "\"choices\":[]", "\"completion_tokens\":20", "\"object\":\"chat.completion.chunk\"");
      assertThat(stream.event()).isEqualTo("[DONE]");
    }
  }

  @Test
  void tokensOfOneStep_comeBeforeTheNextBegins() throws Exception {
    try (LiveRig.Stream stream =
        rig
        .new Stream(
            COMPLETIONS,
            completion(
                "Once upon a time", "\"stream\":true,\"max_tokens\":3,\"ignore_eos\":true"))) {
      rig.awaitInside(1);
      for (int i = 0; i < 3; i++) {
        rig.clock.advance(LiveRig.STEP_MS - 1);
        assertThat(stream.socket.getInputStream().available()).isZero();
        rig.clock.advance(1);
        assertThat(stream.event()).contains("\"text\":\"").contains("\"usage\":null");
      }
      assertThat(stream.event()).isEqualTo("[DONE]");
    }
  }

  @Test
  void stream_hasTheTextOfTheWholeAnswer() throws Exception {
    String rest = "\"temperature\":0,\"max_tokens\":40";
    String whole = rig.finish(CHAT, chat(rest));
    String streamed = rig.finish(CHAT, chat(rest + ",\"stream\":true"));
    StringBuilder text = new StringBuilder();
    java.util.regex.Pattern.compile("\"content\":\"([^\"]*)\"")
        .matcher(streamed)
        .results()
        .forEach(match -> text.append(match.group(1)));
    assertThat(text.toString()).isNotEmpty();
    assertThat(whole)
        .contains("\"message\":{\"role\":\"assistant\",\"content\":\"" + text + "\"")
        .contains("\"object\":\"chat.completion\"", "\"completion_tokens\":40");
    assertThat(streamed).endsWith("data: [DONE]\n\n");
  }

  @Test
  void answerThatStops_countsItsLastTokenAndDoesNotShowIt() throws Exception {
    String answer = rig.finish(COMPLETIONS, completion("Once", "\"seed\":3,\"max_tokens\":1500"));
    assertThat(answer).contains("\"finish_reason\":\"stop\"", "\"stop_reason\":null");
    int tokens = number(answer, "completion_tokens");
    Tokeniser tokeniser = new Tokeniser(10_000);
    tokeniser.text(text(answer));
    assertThat(tokeniser.count()).isEqualTo(tokens - 1).isPositive();
    assertThat(number(answer, "total_tokens")).isEqualTo(tokens + number(answer, "prompt_tokens"));
  }

  private static int number(String json, String name) {
    String rest = json.substring(json.indexOf("\"" + name + "\":") + name.length() + 3);
    return Integer.parseInt(rest.split("[,}]", 2)[0]);
  }

  private static String text(String json) {
    int from = json.indexOf("\"text\":\"") + 8;
    return json.substring(from, json.indexOf('"', from));
  }

  @Test
  void stopText_endsTheAnswerBeforeIt() throws Exception {
    String rest = "\"temperature\":0,\"max_tokens\":60,\"ignore_eos\":true";
    String whole = text(rig.finish(COMPLETIONS, completion("Once", rest)));
    int end = whole.indexOf(". ");
    String cut = whole.substring(end - 3, end);
    String stopped =
        rig.finish(COMPLETIONS, completion("Once", rest + ",\"stop\":[\"never\",\"" + cut + "\"]"));
    assertThat(text(stopped)).isEqualTo(whole.substring(0, whole.indexOf(cut)));
    assertThat(stopped).contains("\"finish_reason\":\"stop\",\"stop_reason\":\"" + cut + "\"");
    String streamed =
        rig.finish(
            COMPLETIONS, completion("Once", rest + ",\"stream\":true,\"stop\":\"" + cut + "\""));
    StringBuilder text = new StringBuilder();
    streamed
        .lines()
        .filter(line -> line.contains("\"text\""))
        .forEach(line -> text.append(text(line)));
    assertThat(text.toString()).isEqualTo(text(stopped));
  }

  @Test
  void minTokens_keepsStopTextsFromEndingIt() throws Exception {
    String rest =
        "\"temperature\":0,\"max_tokens\":60,\"ignore_eos\":true,\"stop\":\".\",\"min_tokens\":30";
    String answer = rig.finish(COMPLETIONS, completion("Once", rest));
    assertThat(number(answer, "completion_tokens")).isBetween(30, 60);
    assertThat(text(answer)).contains(". ");
  }

  @Test
  void secondTurn_findsTheFirstInThePrefixCache() throws Exception {
    String question =
        "{\"role\":\"user\",\"content\":\"" + "What is the weather? ".repeat(20) + "\"}";
    String head = "{\"model\":\"small-1b\",\"max_tokens\":200,\"ignore_eos\":true,\"messages\":[";
    String first = rig.finish(CHAT, head + question + "]}");
    assertThat(number(first, "cached_tokens")).isZero();
    int from = first.indexOf("\"content\":\"") + 11;
    String answer = first.substring(from, first.indexOf('"', from));
    String second =
        rig.finish(
            CHAT,
            head
                + question
                + ",{\"role\":\"assistant\",\"content\":\""
                + answer
                + "\"},{\"role\":\"user\",\"content\":\"And tomorrow?\"}]}");
    int known = number(first, "total_tokens");
    assertThat(number(second, "cached_tokens")).isBetween(known - 17, known).isGreaterThan(200);
  }

  @Test
  void promptOfTokenIds_isCounted() throws Exception {
    String ids = "1,".repeat(99) + "7";
    String answer =
        rig.finish(COMPLETIONS, "{\"prompt\":[" + ids + "],\"max_tokens\":2,\"ignore_eos\":true}");
    assertThat(number(answer, "prompt_tokens")).isEqualTo(100);
    String nested =
        rig.finish(
            COMPLETIONS, "{\"prompt\":[[" + ids + "]],\"max_tokens\":2,\"ignore_eos\":true}");
    assertThat(number(nested, "cached_tokens")).isEqualTo(96);
  }

  @Test
  void completion_hasSixteenTokensIfItDoesNotSay() throws Exception {
    String answer = rig.finish(COMPLETIONS, completion("Once", "\"ignore_eos\":true"));
    assertThat(number(answer, "completion_tokens")).isEqualTo(16);
  }

  @Test
  void images_costTokens() throws Exception {
    String answer =
        rig.finish(
            CHAT,
            "{\"max_tokens\":2,\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"What?\"},"
                + "{\"type\":\"image_url\",\"image_url\":{\"url\":\"http://x/cat.png\"}}]}]}");
    assertThat(number(answer, "prompt_tokens")).isBetween(1024, 1060);
  }

  @Test
  void requestId_isTheBaseOfTheAnswersId() throws Exception {
    String answer =
        rig.finish(COMPLETIONS, completion("Once", "\"max_tokens\":2"), "X-Request-Id", "abc-1");
    assertThat(answer)
        .startsWith("{\"id\":\"cmpl-abc-1\",\"object\":\"text_completion\",\"created\":1790000");
    assertThat(rig.finish(CHAT, chat("\"max_tokens\":2")))
        .matches("(?s)\\{\"id\":\"chatcmpl-[0-9a-f]{32}\",.*");
  }

  @Test
  void hostileRequestId_isMadePlain() throws Exception {
    try (LiveRig.Stream stream =
        rig
        .new Stream(
            COMPLETIONS,
            completion("Once", "\"stream\":true,\"max_tokens\":1"),
            "X-Request-Id",
            "a\"b\\c \t\u00e9" + "x".repeat(5000))) {
      rig.awaitInside(1);
      rig.clock.advance(LiveRig.STEP_MS);
      String event = stream.event();
      assertThat(event).matches(".*\"id\":\"cmpl-a_b_c___x{100,128}\".*");
    }
  }

  // ---------------------------------------------------------------------------- leaving clients

  @Test
  void clientThatLeaves_freesItsPlace() throws Exception {
    try (LiveRig.Stream stream =
        rig.new Stream(CHAT, chat("\"stream\":true,\"max_tokens\":1000,\"ignore_eos\":true"))) {
      rig.awaitInside(1);
      rig.clock.advance(LiveRig.STEP_MS);
      stream.event();
      assertThat(rig.kvUsage()).isPositive();
    }
    rig.awaitInside(0);
    rig.clock.advance(LiveRig.STEP_MS);
    assertThat(rig.kvUsage()).isZero();
    assertThat(rig.live.ask(() -> rig.measures.value(EngineQuantity.FINISHED, "length"))).isZero();
  }

  @Test
  void clientThatLeavesWhileItStreams_freesItsPlace() throws Exception {
    try (LiveRig.Stream stream =
        rig.new Stream(CHAT, chat("\"stream\":true,\"max_tokens\":1000,\"ignore_eos\":true"))) {
      rig.awaitInside(1);
      stream.socket.setSoLinger(true, 0);
    }
    for (int i = 0; i < 1000 && rig.running() > 0; i++) {
      rig.clock.advance(LiveRig.STEP_MS);
      // On a busy machine it takes a while until the server hears that.
      Thread.sleep(5);
    }
    assertThat(rig.live.ask(() -> rig.measures.value(EngineQuantity.GENERATION_TOKENS)))
        .isLessThan(1000);
  }

  @Test
  void clientThatDoesNotRead_holdsUpNobody() throws Exception {
    try (LiveRig.Stream lazy =
        rig.new Stream(CHAT, chat("\"stream\":true,\"max_tokens\":1900,\"ignore_eos\":true"))) {
      rig.awaitInside(1);
      String answer = rig.finish(CHAT, chat("\"max_tokens\":1800,\"ignore_eos\":true"));
      assertThat(number(answer, "completion_tokens")).isEqualTo(1800);
      assertThat(lazy.socket.isConnected()).isTrue();
    }
  }

  // ------------------------------------------------------------------------------------- errors

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{|400|isn't JSON",
        "[]|400|expected an object at line 1, column 1",
        "{}|400|expected \"messages\"",
        "{\"messages\":[]}|400|a message at least",
        "{\"messages\":[{\"content\":\"x\"}]}|400|a \"role\"",
        "{\"messages\":[{\"role\":\"user\",\"content\":7}]}|400|expected a text or a list of parts",
        "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":\"video_url\"}]}]}|400|a part of"
            + " type",
        "{\"prompt\":\"x\"}|400|this call takes \"messages\"",
        "{\"model\":\"big\",\"messages\":[{\"role\":\"user\"}]}|404|The model `big` does not"
            + " exist.",
        "{\"messages\":[{\"role\":\"user\"}],\"n\":2}|400|more than one answer",
        "{\"messages\":[{\"role\":\"user\"}],\"logprobs\":true}|400|probabilities",
        "{\"messages\":[{\"role\":\"user\"}],\"max_tokens\":0}|400|max_tokens must be from 1",
        "{\"messages\":[{\"role\":\"user\"}],\"max_tokens\":1.5}|400|a whole number",
        "{\"messages\":[{\"role\":\"user\"}],\"temperature\":-1}|400|temperature must be from 0",
        "{\"messages\":[{\"role\":\"user\"}],\"temperature\":\"hot\"}|400|a number for"
            + " \"temperature\"",
        "{\"messages\":[{\"role\":\"user\"}],\"stream\":1}|400|true or false",
        "{\"messages\":[{\"role\":\"user\"}],\"stream_options\":{}}|400|goes with",
        "{\"messages\":[{\"role\":\"user\"}],\"stop\":[\"\"]}|400|characters in \"stop\"",
        "{\"messages\":[{\"role\":\"user\"}],\"min_tokens\":9,\"max_tokens\":5}|400|min_tokens must"
            + " be",
        "{\"messages\":[{\"role\":\"user\"}],\"max_tokens\":2000}|400|maximum context length is"
            + " 2000 tokens",
        "{\"messages\":[{\"role\":\"user\"}]} {}|400|expected the end of the body"
      })
  void badRequest_isAnsweredWithWhatWasExpected(String json, int status, String says)
      throws Exception {
    HttpResponse<String> answer = rig.post(CHAT, json);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(status);
    assertThat(answer.body())
        .startsWith("{\"error\":{\"message\":\"")
        .endsWith("\"code\":" + status + "}}");
    assertThat(answer.body().replace("\\\"", "\"")).contains(says);
  }

  @Test
  void promptBeyondTheContext_isRefusedWithItsNumbers() throws Exception {
    HttpResponse<String> answer =
        rig.post(COMPLETIONS, completion("word ".repeat(3000), "\"max_tokens\":5"));
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body())
        .contains(
            "maximum context length is 2000 tokens", "has 3001 input tokens", "BadRequestError");
  }

  @Test
  void releaseBeforeNestedErrors_hasThemFlat() throws Exception {
    rig.close();
    rig = new LiveRig(Version.parse("0.8.5"), 0);
    assertThat(rig.post(CHAT, "{\"model\":\"big\",\"messages\":[{\"role\":\"user\"}]}").body())
        .isEqualTo(
            "{\"object\":\"error\",\"message\":\"The model `big` does not"
                + " exist.\",\"type\":\"NotFoundError\",\"param\":\"model\",\"code\":404}");
  }

  @Test
  void moreThanMayWait_isRefused() throws Exception {
    rig.close();
    rig = new LiveRig(Version.parse("0.28.0"), 1);
    List<LiveRig.Stream> streams = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      streams.add(
          rig.new Stream(CHAT, chat("\"stream\":true,\"max_tokens\":500,\"ignore_eos\":true")));
      rig.awaitInside(i + 1);
      rig.clock.advance(LiveRig.STEP_MS);
    }
    HttpResponse<String> answer = rig.post(CHAT, chat("\"max_tokens\":5"));
    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("ServiceUnavailableError", "\"code\":503");
    for (LiveRig.Stream stream : streams) {
      stream.close();
    }
  }

  @Test
  void otherContentType_isRefused() throws Exception {
    HttpResponse<String> answer =
        rig.client.send(
            rig.posted(CHAT, "{}").setHeader("Content-Type", "text/plain").build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(415);
  }

  @Test
  void serverThatIsDown_closesConnections() {
    rig.up = false;
    org.assertj.core.api.Assertions.assertThatThrownBy(() -> rig.get("/health"))
        .isInstanceOf(java.io.IOException.class);
  }

  // ----------------------------------------------------------------------------- the small ones

  @Test
  void smallRoutes_answerAsVllmDoes() throws Exception {
    assertThat(rig.get("/health").statusCode()).isEqualTo(200);
    assertThat(rig.get("/health").body()).isEmpty();
    assertThat(rig.get("/ping").statusCode()).isEqualTo(200);
    assertThat(rig.get("/version").body()).isEqualTo("{\"version\":\"0.15.0\"}");
    assertThat(rig.get("/load").body()).isEqualTo("{\"server_load\":0}");
    assertThat(rig.get("/v1/models").body())
        .startsWith(
            "{\"object\":\"list\",\"data\":[{\"id\":\"small-1b\",\"object\":\"model\",\"created\":1790000000")
        .contains("\"owned_by\":\"vllm\"", "\"max_model_len\":2000");
    assertThat(rig.get("/nothing").statusCode()).isEqualTo(404);
    assertThat(rig.get("/nothing").body()).isEqualTo("{\"detail\":\"Not Found\"}");
    assertThat(rig.get(CHAT).statusCode()).isEqualTo(405);
    assertThat(rig.get(CHAT).body()).isEqualTo("{\"detail\":\"Method Not Allowed\"}");
  }
}
