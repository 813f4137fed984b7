package org.inferometer.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.inferometer.app.Table.Align;
import org.junit.jupiter.api.Test;

class TableTest {
  private final Captured captured = new Captured();

  @Test
  void cells_areAlignedBySide() {
    new Table()
        .column("NAME", Align.LEFT)
        .column("VALUE", Align.RIGHT)
        .row(List.of("a", "1"))
        .row(List.of("longer", "12345678"))
        .print(captured.console(false));
    assertThat(captured.out())
        .isEqualTo(
            """
            NAME       VALUE
            a              1
            longer  12345678
            """);
  }

  @Test
  void header_isBoldOnATerminal() {
    new Table().column("N", Align.LEFT).row(List.of("é😀")).print(captured.console(true));
    assertThat(captured.out()).isEqualTo("\u001b[1mN\u001b[0m\né😀\n");
  }
}
