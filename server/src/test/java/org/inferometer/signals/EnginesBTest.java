package org.inferometer.signals;

import org.junit.jupiter.api.Test;

class EnginesBTest {
  @Test
  void loads() {
    Catalogue.builtIn();
  }
}
