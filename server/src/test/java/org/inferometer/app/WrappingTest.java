package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappingTest {
  @Test
  void shortText_isOneLine() {
    assertThat(Wrapping.lines("1. ", "   ", "a  b\nc")).containsExactly("1. a b c");
  }

  @Test
  void longText_isBrokenAtBlanks_andIndented() {
    String words = "word ".repeat(30);
    assertThat(Wrapping.lines("1. ", "   ", words))
        .hasSize(2)
        .allMatch(line -> line.length() <= Wrapping.WIDTH)
        .last()
        .satisfies(line -> assertThat(line).startsWith("   word"));
  }

  @Test
  void longWord_isKeptWhole() {
    String word = "x".repeat(100);
    assertThat(Wrapping.lines("- ", "  ", "a " + word + " b"))
        .containsExactly("- a", "  " + word, "  b");
  }
}
