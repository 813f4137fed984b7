package org.inferometer.signals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SignalReferenceTest {
  @Test
  void pageIsCurrent() {
    Golden.check(
        Path.of("../docs/reference/signals.md"),
        new SignalReference(Catalogue.builtIn()).markdown());
  }
}
