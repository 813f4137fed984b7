package org.inferometer.promql;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.inferometer.promql.TokenType.Family;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the query page says about the words of the language agrees with the language. */
class PromqlWordsTest {
  private static final Pattern SIGNATURE = Pattern.compile("(\\w+)\\((.*)\\): ([a-z ]+)");
  private static final Pattern ARGUMENT = Pattern.compile("\\w+(\\??)((?:\\.\\.\\.)?): ([a-z ]+)");

  private static JsonNode words;

  @BeforeAll
  static void read() throws IOException {
    try (InputStream in =
        PromqlWordsTest.class.getClassLoader().getResourceAsStream("ui/promql-words.json")) {
      words = new ObjectMapper().readTree(Objects.requireNonNull(in));
    }
  }

  private static Map<String, JsonNode> byName(String list) {
    Map<String, JsonNode> found = new TreeMap<>();
    for (JsonNode word : words.get(list)) {
      assertThat(found.put(word.get("name").asText(), word)).as("%s is there twice", word).isNull();
    }
    return found;
  }

  private static boolean experimental(JsonNode word) {
    return word.path("experimental").asBoolean(false);
  }

  @Test
  void functions_areAllThereWithTheirSignatures() {
    Map<String, JsonNode> described = byName("functions");
    for (FunctionSignature function : Functions.all()) {
      JsonNode word = described.remove(function.name());
      assertThat(word).as("%s() is missing from promql-words.json", function.name()).isNotNull();
      assertThat(signature(word.get("signature").asText(), experimental(word))).isEqualTo(function);
    }
    assertThat(described).as("there are no such functions").isEmpty();
  }

  /** Reads {@code round(v: instant vector, to_nearest?: scalar): instant vector}. */
  private static FunctionSignature signature(String text, boolean experimental) {
    Matcher whole = SIGNATURE.matcher(text);
    assertThat(whole.matches()).as("%s is a signature", text).isTrue();
    List<ValueType> arguments = new ArrayList<>();
    int optional = 0;
    for (String part : whole.group(2).isEmpty() ? new String[0] : whole.group(2).split(", ", -1)) {
      Matcher argument = ARGUMENT.matcher(part);
      assertThat(argument.matches()).as("%s in %s is an argument", part, text).isTrue();
      arguments.add(type(argument.group(3)));
      if (!argument.group(2).isEmpty()) {
        optional = -1;
      } else if (!argument.group(1).isEmpty()) {
        optional++;
      } else {
        assertThat(optional).as("what may be left out of %s stands last", text).isZero();
      }
    }
    return new FunctionSignature(
        whole.group(1), arguments, optional, type(whole.group(3)), experimental);
  }

  private static ValueType type(String documented) {
    return Arrays.stream(ValueType.values())
        .filter(type -> type.documented().equals(documented))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no such type: " + documented));
  }

  @Test
  void aggregations_areAllThereWithTheirParameters() {
    Map<String, JsonNode> described = byName("aggregations");
    for (AggregateOp op : AggregateOp.values()) {
      JsonNode word = described.remove(op.keyword());
      assertThat(word).as("%s is missing from promql-words.json", op.keyword()).isNotNull();
      String parameter =
          op.parameter() == null ? "" : "\\w+: " + op.parameter().documented() + ", ";
      assertThat(word.get("signature").asText())
          .matches(
              Pattern.quote(op.keyword()) + " by \\(labels\\) \\(" + parameter + "v: .* vector\\)");
      assertThat(experimental(word)).as(op.keyword()).isEqualTo(op.isExperimental());
    }
    assertThat(described).as("there are no such operators").isEmpty();
  }

  @Test
  void keywords_areAllThere() {
    TreeSet<String> expected = new TreeSet<>();
    for (TokenType type : TokenType.values()) {
      if (type.isWord() && type.family() != Family.AGGREGATE) {
        expected.add(type.text());
      }
    }
    assertThat(byName("keywords").keySet()).isEqualTo(expected);
  }

  @Test
  void everyWord_isHelpedByASentence() {
    String unsaid =
        List.of("functions", "aggregations", "keywords").stream()
            .flatMap(list -> byName(list).values().stream())
            .filter(word -> !word.path("help").asText().matches("[A-Z0-9e].{10,160}\\."))
            .map(JsonNode::toString)
            .collect(joining("\n"));
    assertThat(unsaid).isEmpty();
  }
}
