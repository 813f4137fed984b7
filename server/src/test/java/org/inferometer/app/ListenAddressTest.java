package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenAddressTest {
  @ParameterizedTest
  @CsvSource({
    "127.0.0.1:9765, 127.0.0.1, 9765",
    "0.0.0.0:80, 0.0.0.0, 80",
    "[::1]:0, 0:0:0:0:0:0:0:1, 0",
    ":9000, 127.0.0.1, 9000",
    "9000, 127.0.0.1, 9000"
  })
  void parse_takesHostAndPort(String text, String address, int port) {
    assertThat(ListenAddress.parse(text).getAddress().getHostAddress()).isEqualTo(address);
    assertThat(ListenAddress.parse(text).getPort()).isEqualTo(port);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "127.0.0.1", "localhost:", "localhost:http", "h:65536", "::1:80"})
  void parse_saysWhatItExpects(String text) {
    assertThatThrownBy(() -> ListenAddress.parse(text))
        .isInstanceOf(CommandException.class)
        .hasMessage("--listen: expected HOST:PORT such as 127.0.0.1:9765, got \"" + text + "\"");
  }
}
