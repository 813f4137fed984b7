package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RenamingTest {
  private static final Renaming RENAMING =
      new Renaming("other", "engine", "engine:", false, "ray_", null, null, false, List.of("pod"));

  private static Family family(String name, @Nullable String note) {
    return new Family(
        "engine",
        name,
        FamilyType.GAUGE,
        null,
        "",
        List.of("model"),
        null,
        null,
        null,
        null,
        null,
        note);
  }

  @Test
  void families_ofThePrefix_haveItsSuccessorAndItsLabels() {
    Family renamed = RENAMING.families(family("engine:running", null)).getFirst();

    assertThat(renamed.name()).isEqualTo("ray_running");
    assertThat(renamed.dialect()).isEqualTo("other");
    assertThat(renamed.labels()).containsExactly("model", "pod");
  }

  @Test
  void families_ofAnotherPrefix_areLeftOut() {
    assertThat(RENAMING.families(family("my_engine:running", null))).isEmpty();
  }

  @Test
  void families_textBeside_isChangedOnlyWhereANameBegins() {
    String note = "engine:a, not my_engine:b nor x:engine:c, engine: or engine:9, but (engine:d)";

    assertThat(RENAMING.families(family("engine:running", note)).getFirst().note())
        .isEqualTo("ray_a, not my_engine:b nor x:engine:c, engine: or engine:9, but (ray_d)");
  }
}
