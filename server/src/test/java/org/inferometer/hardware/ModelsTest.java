package org.inferometer.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.YamlException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ModelsTest {
  private final Models models = Models.builtIn();

  private ModelShape find(String name) {
    return Objects.requireNonNull(models.find(name), name);
  }

  @ParameterizedTest
  @CsvSource({
    "qwen3-32b, qwen3-32b",
    "Qwen/Qwen3-32B, qwen3-32b",
    "QWEN3-32B, qwen3-32b",
    "Qwen/Qwen3-30B-A3B-Instruct-2507, qwen3-30b-a3b",
    "meta-llama/Meta-Llama-3-8B, llama-3-8b",
    "NousResearch/Hermes-3-Llama-3.1-8B, llama-3.1-8b",
  })
  void find_byIdAndByNameOfTheHub(String name, String id) {
    assertThat(find(name).id()).isEqualTo(id);
  }

  @ParameterizedTest
  @ValueSource(strings = {"qwen3", "qwen3-33b", "", "Qwen/Qwen3-32B-Base"})
  void find_neverTakesOneForAnother(String name) {
    assertThat(models.find(name)).isNull();
  }

  @Test
  void find_veryLongName() {
    assertThat(models.find("qwen3-32b".repeat(100_000))).isNull();
  }

  @Test
  void list_hasWhatScenariosAndBenchesUse() {
    assertThat(models.models())
        .extracting(ModelShape::id)
        .contains(
            "qwen3-32b",
            "qwen3-8b",
            "qwen3-30b-a3b",
            "qwen3-0.6b",
            "qwen2.5-7b",
            "llama-3.1-8b",
            "llama-3.1-70b",
            "llama-3-8b",
            "mistral-7b",
            "mixtral-8x7b",
            "deepseek-v3",
            "gemma-3-27b",
            "gpt-oss-120b",
            "granite-3.3-8b");
  }

  /** Attention and vocabulary can't have more parameters than the model, nor much too few. */
  @Test
  void shapes_explainTheirParameters() {
    for (ModelShape model : models.models()) {
      double attention =
          (double) model.layers()
              * model.hidden()
              * model.headSize()
              * (2.0 * model.heads() + 2.0 * model.kvHeads());
      double share = attention / model.bodyParameters();
      // DeepSeek's heads are made from a latent, which this doesn't know.
      if (model.special().kvLatent() == 0) {
        assertThat(share).as(model.id()).isBetween(0.05, 0.6);
      }
      assertThat(model.positionsMax()).as(model.id()).isGreaterThanOrEqualTo(4096);
      assertThat(model.heads() % model.kvHeads()).as(model.id()).isZero();
      assertThat(model.source()).as(model.id()).isNotBlank();
    }
  }

  @Test
  void kvBytesPerToken_asPublished() {
    // 128 KiB for Llama 3 8B in 16 bits; 464,656 tokens in 42.54 GiB for Qwen3 30B A3B (vLLM log).
    assertThat(find("llama-3-8b").kvBytesPerToken(2)).isEqualTo(128 * 1024);
    double bytes = 464_656 * find("qwen3-30b-a3b").kvBytesPerToken(2);
    assertThat(bytes / (1L << 30)).isEqualTo(42.54, within(0.01));
    // DeepSeek keeps a latent of 576 elements: about 70 KB.
    assertThat(find("deepseek-v3").kvBytesPerToken(2)).isEqualTo(61 * 576 * 2);
  }

  @Test
  void experts_touchedGrowWithTokens() {
    ModelShape model = find("qwen3-30b-a3b");
    assertThat(model.expertsTouched(1)).isEqualTo(8, within(1e-9));
    assertThat(model.expertsTouched(16)).isBetween(80.0, 84.0);
    assertThat(model.expertsTouched(1e6)).isEqualTo(128, within(1e-9));
    double words = model.vocabularyParameters();
    assertThat(model.parametersRead(1)).isEqualTo(3.3e9 - words, within(1e3));
    assertThat(model.parametersRead(1e6)).isEqualTo(30.5e9 - words, within(1e3));
  }

  @Test
  void denseModel_readsAllButTheInputWords() {
    ModelShape model = find("qwen3-32b");
    assertThat(model.expertsTouched(10)).isZero();
    assertThat(model.parametersRead(10)).isEqualTo(32.8e9 - 151_936.0 * 5120, within(1e3));
    ModelShape tied = find("qwen3-0.6b");
    assertThat(tied.parametersRead(10)).isEqualTo(0.596e9, within(1e3));
  }

  @Test
  void wrongFile_isToldWithItsLines() {
    String text =
        """
        models:
          - {id: a, names: [x/A], layers: 2, hidden: 8, heads: 2, kv_heads: 4, head_size: 4, vocabulary: 10, parameters: 1e6, positions: 100, source: s}
          - {id: a, names: [x/A], layers: 2.5, hidden: -8, heads: 2, kv_heads: 1, head_size: 4, vocabulary: 10, parameters: 1e6, active: 2e6, experts: 2, experts_per_token: 4, positions: 100, source: s}
          - {id: B, layers: x, hidden: 8, heads: 2, kv_heads: 1, head_size: 4, vocabulary: 1000, parameters: 100, positions: 100, tied: maybe, window_layers: 9, speed: 1, source: s}
        """;
    assertThatThrownBy(() -> Models.load("m.yaml", text))
        .isInstanceOf(YamlException.class)
        .hasMessageContaining("m.yaml:2:")
        .hasMessageContaining("more heads of keys and values than of attention")
        .hasMessageContaining("model \"a\" stands twice")
        .hasMessageContaining("expected a whole number, not 2.5")
        .hasMessageContaining("expected a number above 0, not -8.0")
        .hasMessageContaining("more parameters are active")
        .hasMessageContaining("a token uses more experts")
        .hasMessageContaining("expected an id in lower case, not \"B\"")
        .hasMessageContaining("expected a number, not \"x\"")
        .hasMessageContaining("expected true or false, not \"maybe\"")
        .hasMessageContaining("the matrices of its vocabulary alone")
        .hasMessageContaining("\"names\" is missing")
        .hasMessageContaining("unknown key \"speed\"");
  }

  @Test
  void damagedFile_isRefusedOrRead() {
    String text = Bundled.text("hardware/models.yaml");
    Random random = new Random(11);
    for (int i = 0; i < 200; i++) {
      char[] damaged = text.toCharArray();
      for (int j = 0; j < 3; j++) {
        damaged[random.nextInt(damaged.length)] = (char) (32 + random.nextInt(95));
      }
      try {
        List<ModelShape> read = Models.load("m.yaml", new String(damaged)).models();
        assertThat(read).as("seed 11, turn %d", i).isNotEmpty();
      } catch (YamlException e) {
        assertThat(e.getMessage()).contains("m.yaml:");
      }
    }
  }
}
