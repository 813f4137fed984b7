package org.inferometer.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MatcherTest {
  private static Matcher regex(String value) {
    return new Matcher(Matcher.Type.REGEX, "x", value);
  }

  @Test
  void matches_everyType() {
    assertThat(Matcher.equal("x", "a").matches("a")).isTrue();
    assertThat(Matcher.equal("x", "a").matches("b")).isFalse();
    assertThat(new Matcher(Matcher.Type.NOT_EQUAL, "x", "a").matches("b")).isTrue();
    assertThat(new Matcher(Matcher.Type.NOT_EQUAL, "x", "a").matchesEmpty()).isTrue();
    assertThat(regex("a.c").matches("a\nc")).isTrue();
    assertThat(regex("b").matches("abc")).isFalse();
    assertThat(new Matcher(Matcher.Type.NOT_REGEX, "x", "a|b").matches("b")).isFalse();
    assertThat(new Matcher(Matcher.Type.NOT_REGEX, "x", "").matchesEmpty()).isFalse();
    assertThat(Matcher.equal("x", "").matches(Labels.of("y", "1"))).isTrue();
  }

  @Test
  void literals_areListedForAlternations() {
    assertThat(regex("a|b").literals()).containsExactlyInAnyOrder("a", "b");
    assertThat(regex("^(?:a|b)c\\.d$").literals()).containsExactlyInAnyOrder("ac.d", "bc.d");
    assertThat(regex("(5..|4..)").literals()).isNull();
    assertThat(regex("a.*").literals()).isNull();
    assertThat(regex("").literals()).isEqualTo(Set.of(""));
    assertThat(Matcher.equal("x", "a.*").literals()).isEqualTo(Set.of("a.*"));
  }

  @Test
  void constructor_namesTheFaultOfARegex() {
    assertThatThrownBy(() -> regex("a("))
        .isInstanceOf(PatternSyntaxException.class)
        .hasMessage("error parsing regexp: missing closing ): `a(`");
    // Must not become two groups when it is put between anchors.
    assertThatThrownBy(() -> regex("a)(b")).isInstanceOf(PatternSyntaxException.class);
    assertThatThrownBy(() -> regex(".**")).isInstanceOf(PatternSyntaxException.class);
  }

  static List<String> hostile() {
    return List.of(
        "((a{1000}){1000}){1000}",
        "(((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9})b?",
        "(".repeat(100_000) + "a" + ")".repeat(100_000),
        "x*".repeat(20_000),
        "[a-z]?".repeat(20_000),
        "(?:" + "a?{0,1000}".repeat(100) + ")");
  }

  @Test
  void constructor_refusesExpressionsThatExplode() {
    for (String regex : hostile()) {
      assertThatThrownBy(() -> regex(regex)).isInstanceOf(PatternSyntaxException.class);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x?", "(a|b?)", "[ab]*|", "(?:x*)*", "\\pL?", "(?i)é|", "a{0,2}", "()", "(|a)+"})
  void matches_staysWithinTheStackAtTheLimit(String part) {
    int taken = 0;
    for (int times = Regex.SIZE_MAX; times > 0; times /= 2) {
      for (int more = 4; more < 8; more++) {
        taken += matchesOrIsRefused(part.repeat(times * more / 4)) ? 1 : 0;
      }
    }
    assertThat(taken).as("expressions taken").isGreaterThan(20);
  }

  private static boolean matchesOrIsRefused(String regex) {
    try {
      assertThat(Regex.compile(regex).matches("zz\u0000")).isFalse();
      return true;
    } catch (PatternSyntaxException e) {
      assertThat(e.getMessage()).contains("too large");
      return false;
    }
  }

  @Test
  void constructor_takesLongListsOfNames() {
    String names = "replica-17.cluster.local|".repeat(1_000) + "end";
    assertThat(regex(names).matches("replica-17.cluster.local")).isTrue();
    assertThat(regex(names.replace(".", "\\.")).literals()).hasSize(2);
  }

  @Test
  void memory_ofAnswersIsBounded() {
    Matcher matcher = regex("[0-9]+");
    for (int i = 0; i < 20_000; i++) {
      assertThat(matcher.matches(Integer.toString(i))).isTrue();
      assertThat(matcher.matches(i + "x")).isFalse();
    }
  }

  /** Builds expressions that are often of a shape with a fast test, and often just not. */
  private static String randomRegex(Random random, int depth) {
    StringBuilder out = new StringBuilder();
    int items = random.nextInt(5);
    for (int i = 0; i < items; i++) {
      switch (random.nextInt(depth > 0 ? 18 : 15)) {
        case 0, 1, 2, 3 -> out.append("abA\n-/".charAt(random.nextInt(6)));
        case 4, 5 -> out.append(".*");
        case 6 -> out.append(".+");
        case 7 -> out.append(random.nextBoolean() ? ".*?" : ".+?");
        case 8, 9 -> out.append('|');
        case 10 -> out.append("\\").append(".-|*a/n\"".charAt(random.nextInt(8)));
        case 11 -> out.append("*+?{^$.".charAt(random.nextInt(7)));
        case 12 -> out.append("[ab]");
        case 13 -> out.append("a{2}");
        case 14 -> out.append(random.nextBoolean() ? "\uD83D\uDE00" : "^a$");
        case 15, 16 -> out.append('(').append(randomRegex(random, depth - 1)).append(')');
        default -> out.append("(?:").append(randomRegex(random, depth - 1)).append(')');
      }
    }
    return out.toString();
  }

  private static String randomValue(Random random) {
    StringBuilder out = new StringBuilder();
    for (int i = random.nextInt(7); i > 0; i--) {
      int pick = random.nextInt(9);
      out.append(pick == 8 ? "\uD83D\uDE00" : "abA\n-/.|".substring(pick, pick + 1));
    }
    return out.toString();
  }

  @Test
  void matches_asTheLibraryDoesForAnyExpression() {
    int fast = 0;
    for (long seed = 0; seed < 30_000; seed++) {
      Random random = new Random(seed);
      String regex = randomRegex(random, 3);
      Pattern plain = plain(regex);
      boolean isFast = RegexShape.globs(regex) != null;
      fast += isFast ? 1 : 0;
      if (plain == null) {
        assertThat(isFast).as("fast test of invalid " + regex + ", seed " + seed).isFalse();
        assertThatThrownBy(() -> regex(regex)).isInstanceOf(PatternSyntaxException.class);
        continue;
      }
      Matcher matcher = regex(regex);
      for (int i = 0; i < 20; i++) {
        String value = randomValue(random);
        assertThat(matcher.matches(value))
            .as("regex " + Names.quote(regex) + " on " + Names.quote(value) + ", seed " + seed)
            .isEqualTo(plain.matches(value));
      }
    }
    assertThat(fast).as("expressions with a fast test").isGreaterThan(5_000);
  }

  private static @Nullable Pattern plain(String regex) {
    try {
      return Pattern.compile(regex, Pattern.DOTALL);
    } catch (PatternSyntaxException e) {
      return null;
    }
  }
}
