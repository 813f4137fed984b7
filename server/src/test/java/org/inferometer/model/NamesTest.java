package org.inferometer.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void quote_escapesWhatGoEscapes() {
    assertThat(Names.quote("a\"b\\c\n\t\r\u0007\b\f\u000b"))
        .isEqualTo("\"a\\\"b\\\\c\\n\\t\\r\\a\\b\\f\\v\"");
    assertThat(Names.quote("\u0001\u007f\u00a0\u200b\u2028\ue000"))
        .isEqualTo("\"\\x01\\x7f\\u00a0\\u200b\\u2028\\ue000\"");
    assertThat(Names.quote("\udb40\udc01")).isEqualTo("\"\\U000e0001\"");
  }

  @Test
  void quote_leavesWhatCanBeSeen() {
    assertThat(Names.quote("é 漢 \ud83d\ude00 e\u0301")).isEqualTo("\"é 漢 \ud83d\ude00 e\u0301\"");
  }
}
