package org.inferometer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.PatternSyntaxException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegexTest {
  static Stream<String> oversized() {
    return Stream.of(
        "((a{1000}){1000}){10}",
        "[" + "\\pL".repeat(5_000) + "]",
        "\\PN".repeat(5_000),
        "[" + "[:".repeat(20_000),
        "a".repeat(Regex.LENGTH_MAX + 1));
  }

  @ParameterizedTest
  @MethodSource("oversized")
  void whatTakesTooMuchToCompile_isRefusedWithAShortMessage(String text) {
    assertThatThrownBy(() -> Regex.compile(text))
        .isInstanceOf(PatternSyntaxException.class)
        .message()
        .hasSizeLessThan(200);
  }

  @ParameterizedTest
  @CsvSource({
    "a), unexpected ): `a)`",
    "a(, missing closing ): `a(`",
    "a\\, trailing backslash at end of expression: ``",
    "[z-a], invalid character class range: `z-a`",
    "*, missing argument to repetition operator: `*`"
  })
  void mistakes_areToldInTheWordsOfGo(String text, String problem) {
    assertThatThrownBy(() -> Regex.compile(text)).hasMessage("error parsing regexp: " + problem);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[[:alpha:]_]+", "\\pL+x", "[\\pL\\d]{1,100}", "a{3}|b.*", "[]a]"})
  void whatPeopleWrite_compiles(String text) {
    assertThat(Regex.compile(text)).isNotNull();
  }
}
