package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.inferometer.simulator.event.Dice;
import org.junit.jupiter.api.Test;

/** Requests that nobody would send on purpose. */
class OpenAiDamageTest {
  private static final List<String> GOOD =
      List.of(
          "{\"model\":\"m\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi \\u00e9"
              + " \\ud83d\\ude00\"},"
              + "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":\"x\"}]},"
              + "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":\"image_url\",\"image_url\":{\"url\":\"u\"}}]}],"
              + "\"max_tokens\":50,\"temperature\":0.7,\"stream\":true,\"stream_options\":{\"include_usage\":true},\"stop\":[\"a\",\"."
              + " The\"],\"seed\":12,\"n\":1,\"tools\":[{\"a\":[{}]}],\"min_tokens\":3,\"priority\":-2}",
          "{\"model\":\"m\",\"prompt\":[1,2,3,40000],\"max_tokens\":7,\"echo\":false,\"logprobs\":null,\"suffix\":\"\"}",
          "{\"prompt\":[[5,6]],\"ignore_eos\":true,\"max_tokens\":5}",
          "{\"prompt\":[\"Once upon a"
              + " time\"],\"frequency_penalty\":0.5,\"max_completion_tokens\":9}");

  private static OpenAiRequest.Kind kind(String json) {
    return json.contains("messages") ? OpenAiRequest.Kind.CHAT : OpenAiRequest.Kind.COMPLETION;
  }

  @Test
  void goodRequests_areTaken() {
    assertThat(GOOD)
        .allMatch(json -> OpenAiFuzz.take(kind(json), json.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void damagedRequests_areReadOrRefused() {
    long seed = 20_261_130;
    Dice dice = Dice.of(seed);
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      String json = GOOD.get(dice.nextInt(GOOD.size()));
      byte[] body = json.getBytes(StandardCharsets.UTF_8);
      int damages = 1 + dice.nextInt(3);
      for (int d = 0; d < damages; d++) {
        body = damaged(body, dice);
      }
      try {
        taken += OpenAiFuzz.take(kind(json), body) ? 1 : 0;
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            "seed " + seed + ", try " + i + ": " + new String(body, StandardCharsets.ISO_8859_1),
            e);
      }
    }
    assertThat(taken).isBetween(500, 15_000);
  }

  private static byte[] damaged(byte[] body, Dice dice) {
    int at = dice.nextInt(body.length);
    return switch (dice.nextInt(4)) {
      case 0 -> {
        body[at] = (byte) dice.nextInt(256);
        yield body;
      }
      case 1 -> java.util.Arrays.copyOf(body, at + 1);
      case 2 -> {
        byte[] other = GOOD.get(dice.nextInt(GOOD.size())).getBytes(StandardCharsets.UTF_8);
        int length = Math.min(dice.nextInt(30), Math.min(other.length, body.length - at));
        System.arraycopy(other, 0, body, at, length);
        yield body;
      }
      default -> {
        byte[] longer = new byte[body.length + 1];
        System.arraycopy(body, 0, longer, 0, at);
        longer[at] = (byte) "{}[]\",:0-e.\\".charAt(dice.nextInt(12));
        System.arraycopy(body, at, longer, at + 1, body.length - at);
        yield longer;
      }
    };
  }

  private static OpenAiRequest read(String json) throws OpenAiException {
    return OpenAiReader.read(kind(json), json.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void deepJson_isRefused() {
    String deep = "[".repeat(100_000);
    assertThatThrownBy(() -> read("{\"prompt\":" + deep)).isInstanceOf(OpenAiException.class);
    assertThatThrownBy(() -> read("{\"messages\":[{\"role\":\"user\",\"tool_calls\":" + deep))
        .isInstanceOf(OpenAiException.class)
        .hasMessageContaining("nesting depth");
  }

  @Test
  void brokenUtf8_isRefused() {
    byte[] body = "{\"prompt\":\"a__b\"}".getBytes(StandardCharsets.UTF_8);
    body[12] = (byte) 0xc3;
    body[13] = (byte) 0x28;
    assertThatThrownBy(() -> OpenAiReader.read(OpenAiRequest.Kind.COMPLETION, body))
        .isInstanceOf(OpenAiException.class)
        .hasMessageContaining("isn't JSON");
  }

  @Test
  void hugeNumbers_areRefused() {
    for (String number : List.of("1e999", "9".repeat(2000), "-1", "99999999999", "NaN")) {
      assertThatThrownBy(() -> read("{\"prompt\":\"x\",\"max_tokens\":" + number + "}"))
          .as(number)
          .isInstanceOf(OpenAiException.class);
    }
  }

  @Test
  void sameKeyTwice_isRefused() {
    assertThatThrownBy(() -> read("{\"prompt\":\"x\",\"prompt\":\"y\"}"))
        .isInstanceOf(OpenAiException.class)
        .hasMessageContaining("Duplicate");
  }
}
