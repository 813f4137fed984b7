package org.inferometer.simulator.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.Prompt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokeniserTest {
  private static long[] tokens(String text) {
    Tokeniser tokeniser = new Tokeniser(1_000_000);
    tokeniser.text(text);
    return tokeniser.tokens();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      ignoreLeadingAndTrailingWhitespace = false,
      value = {
        "Hello|1",
        "Hello world|2",
        "Hello, world!|4",
        "observability|2",
        " a  b|3",
        "1234567|3",
        "你好|2",
        "Привет|2",
        "🙂🙂|2"
      })
  void text_hasAboutAsManyTokensAsRealOnesFind(String text, int count) {
    assertThat(tokens(text)).hasSize(count);
  }

  @Test
  void brokenSurrogates_areTokensToo() {
    assertThat(tokens("\ud83d \ude42\ud83d")).hasSizeBetween(3, 5);
  }

  @Test
  void longText_hasItsTokensInOrder() {
    String words = "the quick brown fox ".repeat(1000);
    long[] tokens = tokens(words);
    assertThat(tokens).hasSizeBetween(4000, 4001);
    assertThat(Arrays.copyOfRange(tokens, 4, 8)).containsExactly(Arrays.copyOfRange(tokens, 8, 12));
  }

  @Test
  void tokensBeyondWhatIsKept_areCounted() {
    Tokeniser tokeniser = new Tokeniser(100);
    tokeniser.text("a ".repeat(5000));
    assertThat(tokeniser.count()).isGreaterThanOrEqualTo(5000);
    assertThat(tokeniser.tokens()).hasSize(100);
  }

  @Test
  void answer_isTakenApartIntoTheTokensItIsOf() {
    for (long content = 0; content < 200; content++) {
      int length = 1 + Dice.of(content).nextInt(60);
      Prompt prompt = new TokenPrompt(tokens("A question?"));
      Prompt answered = prompt.then(content, length);
      long[] again = tokens(Words.text(content, 0, length));
      assertThat(again).as("content " + content).hasSize(length);
      long[] all = Arrays.copyOf(tokens("A question?"), 3 + length);
      System.arraycopy(again, 0, all, 3, length);
      assertThat(new TokenPrompt(all).contentKey(0, 3 + length))
          .as("content " + content)
          .isEqualTo(answered.contentKey(0, 3 + length));
    }
  }

  @Test
  void contentKey_isThatOfTheTokens() {
    Prompt a = new TokenPrompt(tokens("one two three four"));
    Prompt b = new TokenPrompt(tokens("one two three five"));
    assertThat(a.contentKey(0, 3)).isEqualTo(b.contentKey(0, 3));
    assertThat(a.contentKey(0, 4)).isNotEqualTo(b.contentKey(0, 4));
    assertThat(a.contentKey(0, 2)).isNotEqualTo(a.contentKey(1, 3));
  }

  @Test
  void promptWithAnswers_growsTurnByTurn() {
    Prompt first = new TokenPrompt(tokens("one two")).then(7, 20);
    Prompt second = first.then(9, 5).then(9, 0);
    assertThat(second.length()).isEqualTo(27);
    assertThat(second.contentKey(0, 22)).isEqualTo(first.contentKey(0, 22));
  }
}
