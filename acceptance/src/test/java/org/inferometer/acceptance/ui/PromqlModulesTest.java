package org.inferometer.acceptance.ui;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the query page computes, called in the browser: tokens, offers, places, histograms. */
@ExtendWith(SiteExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class PromqlModulesTest {
  private Screen screen;

  @BeforeAll
  void open(Site site, Chromium chromium) {
    screen = chromium.screen(Theme.LIGHT, 800);
    screen.open(site.server().url("/query"), ".editor");
  }

  @AfterAll
  void close() {
    screen.close();
  }

  /** Tokens as {@code kind:text}, between bars. */
  private String tokens(String text) {
    return (String)
        screen
            .page()
            .evaluate(
                """
                async (text) => (await import('/ui/promql-lexer.js')).tokenize(text)
                    .map(({kind, text}) => kind + ':' + text).join(' | ')""",
                text);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '^',
      value = {
        "sum by (le) (rate(x[5m]))§aggregation:sum | keyword:by | mark:( | label:le | mark:) | mark:( | function:rate | mark:( | metric:x | mark:[ | duration:5m | mark:] | mark:) | mark:)",
        "sum + count(x)§metric:sum | operator:+ | aggregation:count | mark:( | metric:x | mark:)",
        "{a!=\"}\", \"b c\"='d'}§mark:{ | label:a | operator:!= | string:\"}\" | mark:, | string:\"b c\" | operator:= | string:'d' | mark:}",
        "x[1h:30s] offset -5m @ 1.5e3§metric:x | mark:[ | duration:1h | mark:: | duration:30s | mark:] | keyword:offset | operator:- | duration:5m | operator:@ | number:1.5e3",
        "a AND on (b) job:c:d # e (f§metric:a | keyword:AND | keyword:on | mark:( | label:b | mark:) | metric:job:c:d | comment:# e (f",
        "x[step() * 2]§metric:x | mark:[ | function:step | mark:( | mark:) | operator:* | duration:2 | mark:]",
        "Inf + 0x1F - .5§number:Inf | operator:+ | number:0x1F | operator:- | number:.5",
        "\"open§string:\"open",
        "`raw \\` é§string:`raw \\` | other:é",
      })
  void tokenize_knowsWhatAWordIsFromItsPlace(String text, String tokens) {
    assertThat(tokens(text)).isEqualTo(tokens);
  }

  @Test
  void tokenize_takesAnythingAndLosesNothing() {
    Object lost =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {tokenize, typedAt} = await import('/ui/promql-lexer.js');
                  const {pieces} = await import('/ui/promql-places.js');
                  const parts = ['sum', '(', ')', '{', '}', '[', ']', '"', "'", '`', '\\\\', '#', '\\n', ' ', 'x', '=', '=~', ',', '5m', '0x', '1e', ':', '\\u{1F600}', 'é', 'by', 'offset', '@', '\\u202e', '<img>'];
                  let seed = 7;
                  const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
                  for (let i = 0; i < 3000; i++) {
                    let text = '';
                    for (let n = next(14); n >= 0; n--) text += parts[next(parts.length)];
                    const tokens = tokenize(text);
                    const ordered = tokens.every(({from, to}, k) => from < to && from >= (tokens[k - 1]?.to ?? 0));
                    const blank = tokens.reduce((rest, {from, to}) => rest.slice(0, from) + ' '.repeat(to - from) + rest.slice(to), text).trim();
                    const whole = pieces(text, [{from: next(9), to: 9, level: 'error'}], {from: 2, to: 5}).map((piece) => piece.text).join('');
                    for (let caret = 0; caret <= text.length; caret++) typedAt(text, caret);
                    if (!ordered || blank !== '' || whole !== text) return text;
                  }
                  return null;
                }""");
    assertThat(lost).isNull();
  }

  @Test
  void tokenize_staysQuickOnLongText() {
    Object length =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {tokenize} = await import('/ui/promql-lexer.js');
                  return ['('.repeat(200000), '"\\\\'.repeat(100000), 'sum '.repeat(50000), '1'.repeat(200000)]
                      .map((text) => tokenize(text).at(-1).to);
                }""");
    assertThat(length).isEqualTo(List.of(200000, 200000, 199999, 200000));
  }

  /** What is typed where the bar stands: its kind, the word, and the selectors meant. */
  private String typed(String textWithBar) {
    return (String)
        screen
            .page()
            .evaluate(
                """
                async (text) => {
                  const caret = text.indexOf('|');
                  const typed = (await import('/ui/promql-lexer.js'))
                      .typedAt(text.slice(0, caret) + text.slice(caret + 1), caret);
                  return typed && [typed.kind, typed.word, typed.label + typed.operator, ...typed.selectors].join(' ').trim();
                }""",
                textWithBar.replace('⏎', '\n'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '^',
      nullValues = "null",
      value = {
        "ra|§operand ra",
        "sum(ra|)§operand ra",
        "x + |§operand",
        "x |§operator",
        "sum(x) b|§operator b",
        "x{|§label   x",
        "x{a=\"b\", jo|}§label jo  x{a=\"b\"}",
        "x{jo|, a=\"b\"}§label jo  x{a=\"b\"}",
        "{a=\"b\",|}§label   {a=\"b\"}",
        "x{a|b=\"c\"}§label a  x",
        "x{a=\"b\",c=\"d|\",e!=\"f\"}§value d c= x{a=\"b\",e!=\"f\"}",
        "x{a=~\"b|\"}§value b a=~ x",
        "sum by (a, |) (x{c=\"d\"} / y)§grouping   x{c=\"d\"} y",
        "x / on(|) y§grouping   x y",
        "rate(x[5|§duration 5",
        "x offset |§duration",
        "x{a=|}§null",
        "x{a=\"b\"|}§null",
        "\"text|\"§null",
        "# sum|§null",
        "x +⏎  su|⏎  + y§operand su",
      })
  void typedAt_tellsWhatCanStandThere(String text, String typed) {
    assertThat(typed(text)).isEqualTo(typed);
  }

  @Test
  void typedAt_takesTheLastAlternativeOfARegex() {
    Object typed =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {word, from} = (await import('/ui/promql-lexer.js')).typedAt('x{a=~"one|tw', 12);
                  return [word, from];
                }""");
    assertThat(typed).isEqualTo(List.of("tw", 10));
  }

  @Test
  void ranked_beginsWithTheBest() {
    Object names =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {ranked} = await import('/ui/promql-completion.js');
                  const names = ['inherit', 'x_rate', 'num_requests_run', 'rate', 'rate_x', 'RATE_y', 'separate'];
                  const of = (word) => ranked(names.map((name) => ({name})), word).map(({name}) => name);
                  return [of('rat'), of('num run'), of('rate')];
                }""");
    assertThat(names)
        .isEqualTo(
            List.of(
                List.of("rate", "rate_x", "RATE_y", "x_rate", "separate"),
                List.of("num_requests_run"),
                List.of("rate_x", "RATE_y", "x_rate", "separate")));
  }

  /** The text after an offer is put in where the bar stands, with a bar where the caret is then. */
  private String accepted(String kind, String name, String textWithBar) {
    return (String)
        screen
            .page()
            .evaluate(
                """
                async ([kind, name, text]) => {
                  const caret = text.indexOf('¦');
                  const plain = text.slice(0, caret) + text.slice(caret + 1);
                  const typed = (await import('/ui/promql-lexer.js')).typedAt(plain, caret);
                  const put = (await import('/ui/promql-completion.js')).insertion({kind, name}, typed, plain.slice(caret));
                  const whole = plain.slice(0, typed.from) + put.text + plain.slice(caret + put.eaten);
                  const at = typed.from + put.caret;
                  return whole.slice(0, at) + '¦' + whole.slice(at);
                }""",
                List.of(kind, name, textWithBar));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '^',
      value = {
        "function§rate§sum(ra¦)§sum(rate(¦))",
        "function§rate§ra¦ (x[5m])§rate¦ (x[5m])",
        "keyword§by§sum b¦§sum by (¦)",
        "keyword§offset§x of¦§x offset ¦",
        "metric§up§u¦§up¦",
        "metric§a.b§a¦§{\"a.b\"}¦",
        "label§job§x{j¦§x{job=\"¦\"",
        "label§a.b§x{a¦}§x{\"a.b\"=\"¦\"}",
        "label§job§x{j¦=\"a\"}§x{job¦=\"a\"}",
        "label§job§sum by (j¦)§sum by (job¦)",
        "value§a\"b§x{c=\"a¦§x{c=\"a\\\"b\"¦",
        "value§node§x{c=\"no¦ld\"}§x{c=\"node\"¦}",
        "value§a.b§x{c=~\"y|a¦\"}§x{c=~\"y|a\\\\.b\"¦}",
        "value§back\\§x{c='b¦'}§x{c='back\\\\'¦}",
        "duration§5m§rate(x[¦])§rate(x[5m¦])",
      })
  void insertion_fitsTheTextAround(String kind, String name, String before, String after) {
    assertThat(accepted(kind, name, before)).isEqualTo(after);
  }

  @Test
  void words_areThoseOfTheLexer() {
    Object same =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {AGGREGATIONS, KEYWORDS} = await import('/ui/promql-lexer.js');
                  const words = await (await fetch('/ui/promql-words.json')).json();
                  const names = (list) => list.map(({name}) => name);
                  const onlyInPlaces = ['start', 'end', 'step', 'range', 'min_of', 'max_of'];
                  return [
                    names(words.aggregations).sort().join() === [...AGGREGATIONS].sort().join(),
                    names(words.keywords).sort().join() === [...KEYWORDS, ...onlyInPlaces].sort().join(),
                  ];
                }""");
    assertThat(same).isEqualTo(List.of(true, true));
  }

  @Test
  void errorPlace_isReadFromTheMessage() {
    assertThat(
            screen.call(
                "promql-places.js",
                "errorPlace",
                "invalid parameter \"query\": 1:5: parse error: unexpected end of input"))
        .isEqualTo(Map.of("line", 1, "column", 5, "text", "unexpected end of input"));
    assertThat(screen.call("promql-places.js", "errorPlace", "query timed out")).isNull();
  }

  @Test
  void notePlace_isReadFromItsEnd() {
    assertThat(
            screen.call(
                "promql-places.js", "notePlace", "PromQL info: it (a:b) might be a gauge (2:13)"))
        .isEqualTo(Map.of("line", 2, "column", 13, "text", "it (a:b) might be a gauge"));
    assertThat(screen.call("promql-places.js", "notePlace", "3 more info annotations omitted"))
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '§',
      quoteCharacter = '^',
      value = {
        "sum(⏎  foo bar)§2§7§bar",
        "rate(x[5m])§1§1§rate",
        "\"é\" + foo bar§1§12§bar",
        "\"\uD83D\uDE00\" + bar§1§10§bar",
        "sum(§1§5§^^",
        "sum(§7§1§^^",
        "x = y§1§3§=",
      })
  void spanAt_coversTheTokenAtAPlaceInBytes(String shown, int line, int column, String covered) {
    String text = shown.replace('⏎', '\n');
    Object found =
        screen
            .page()
            .evaluate(
                """
                async ([text, line, column]) => {
                  const {from, to} = (await import('/ui/promql-places.js')).spanAt(text, {line, column});
                  return text.slice(from, to);
                }""",
                List.of(text, line, column));
    assertThat(found).isEqualTo(covered);
  }

  @Test
  void classicBuckets_areTakenApart() {
    Object counts =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {classicBuckets} = await import('/ui/histograms.js');
                  return classicBuckets([[0.1, 5], [0.5, 4], [1, 9], [Infinity, 12]])
                      .map(({low, high, count}) => `${low} ${high} ${count}`);
                }""");
    assertThat(counts).isEqualTo(List.of("0 0.1 5", "0.1 0.5 0", "0.5 1 4", "1 Infinity 3"));
  }

  @Test
  void histograms_arePutTogetherFromSeriesThatDifferByLeOnly() {
    Object found =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {hasHistograms, histogramsOf} = await import('/ui/histograms.js');
                  const series = (metric, ...values) => ({metric, values: values.map((value, i) => [10 + i, value])});
                  const result = [
                    series({__name__: 'x_bucket', route: 'b', le: '1'}, '1', '2'),
                    series({__name__: 'x_bucket', route: 'a', le: '+Inf'}, '5', 'NaN'),
                    series({__name__: 'x_bucket', route: 'a', le: '1'}, '3', '4'),
                    series({__name__: 'y', le: 'no bound'}, '3', '4'),
                    {metric: {__name__: 'n'}, histograms: [[11, {count: '3', sum: '1', buckets: [[3, '-0.1', '0.1', '1'], [0, '1', '2', '2']]}]]},
                  ];
                  return [
                    hasHistograms({resultType: 'matrix', result}),
                    hasHistograms({resultType: 'matrix', result: result.slice(0, 2)}),
                    hasHistograms({resultType: 'scalar', result: [1, '2']}),
                    ...histogramsOf(result, {start: 10, end: 11, step: 1}).map(({name, columns}) =>
                      name + ': ' + columns.map((column) => column === null ? '-' : column.map(({count}) => count).join('+')).join(' ')),
                  ];
                }""");
    assertThat(found).isEqualTo(List.of(true, false, false, "n: - 1+2", "x{route=\"a\"}: 3+2 -"));
  }

  @ParameterizedTest
  @CsvSource({
    "'[[0.01, 0.1, 1], [0.1, 1, 2], [1, 10, 0]]', true",
    "'[[-2.938735877055719e-39, 2.938735877055719e-39, 4], [0.25, 0.5, 3], [0.5, 1, 3]]', true",
    "'[[-8, -4, 2], [-4, -2, 2], [-0.001, 0.001, 4], [2, 4, 3]]', true",
    "'[[0, 0.1, 1], [0.1, Infinity, 2]]', true",
    "'[[-Infinity, -5, 1], [-5, 5, 3], [5, Infinity, 2]]', true",
    "'[[0, 0, 3]]', false",
  })
  void boundScale_givesEveryBucketItsStretch(String buckets, boolean high) {
    Object problem =
        screen
            .page()
            .evaluate(
                """
                async (text) => {
                  const {BoundScale, boundTicks} = await import('/ui/histograms.js');
                  const bounds = JSON.parse(text.replaceAll('-Infinity', '-1e999').replaceAll('Infinity', '1e999'));
                  const buckets = bounds.map(([low, high, count]) => ({low, high, count, rule: 0}));
                  const scale = new BoundScale(buckets);
                  const stretches = buckets.map((bucket) => scale.stretch(bucket));
                  const ordered = stretches.every(({from, to}, i) => from >= 0 && to <= 1 && from >= (stretches[i - 1]?.to ?? 0) - 1e-9);
                  const ticks = boundTicks(buckets, scale, 0.05, 'seconds');
                  return [ordered && ticks.length < 20, stretches.every(({from, to}) => to - from > 0.01)];
                }""",
                buckets);
    assertThat(problem).isEqualTo(Arrays.asList(true, high));
  }

  /** Marks of an axis for buckets between powers of a base, as many as there is room for. */
  private Object ticks(double base, int from, int to, String unit) {
    return screen
        .page()
        .evaluate(
            """
            async ([base, from, to, unit]) => {
              const {BoundScale, boundTicks} = await import('/ui/histograms.js');
              const buckets = [];
              for (let i = from; i < to; i++) {
                buckets.push({low: base ** i, high: base ** (i + 1), count: 1, rule: 0});
              }
              return boundTicks(buckets, new BoundScale(buckets), 0.04, unit).map((tick) => Number(tick.toPrecision(12)));
            }""",
            List.of(base, from, to, unit));
  }

  @Test
  void boundTicks_areRoundInTheirUnit() {
    assertThat(ticks(1.19, -40, 60, "seconds"))
        .isEqualTo(List.of(0.001, 0.01, 0.1, 1, 10, 60, 600, 3600));
    assertThat(ticks(2, 9, 34, "bytes"))
        .isEqualTo(List.of(1024, 32768, 1048576, 33554432, 1073741824));
    assertThat(ticks(2, 0, 4, "count")).isEqualTo(List.of(1, 2, 4, 8, 16));
    assertThat(ticks(1.0906, -30, 8, "seconds")).isEqualTo(List.of(0.1, 0.2, 0.5, 1, 2));
  }

  @Test
  void worthShowing_leavesOutWhereNothingEverIs() {
    Object shown =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {worthShowing} = await import('/ui/histograms.js');
                  const of = (...counts) => worthShowing(counts.map((count, i) => ({low: i, high: i + 1, count}))).map(({low}) => low);
                  return [of(0, 0, 0, 3, 0, 1, 0, 0), of(2, 0, 0), of(0, 0)];
                }""");
    assertThat(shown).isEqualTo(List.of(List.of(2, 3, 4, 5, 6), List.of(0, 1), List.of(0, 1)));
  }

  @Test
  void heatColor_growsEvenlyInLightness() {
    Object steady =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {heatColor} = await import('/ui/heatmap.js');
                  const light = (text) => {
                    const [r, g, b] = text.match(/\\d+/g).map((value) => (value / 255) ** 2.2);
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                  };
                  const all = (theme) => Array.from({length: 51}, (_, i) => light(heatColor(i / 50, theme)));
                  return [all('dark').every((l, i, list) => i === 0 || l > list[i - 1]),
                    all('light').every((l, i, list) => i === 0 || l < list[i - 1])];
                }""");
    assertThat(steady).isEqualTo(List.of(true, true));
  }

  @Test
  void unitOf_isInTheName() {
    assertThat(screen.call("histograms.js", "unitOf", List.of("{}", "a:b_seconds_bucket{x=\"y\"}")))
        .isEqualTo("seconds");
    assertThat(screen.call("histograms.js", "unitOf", List.of("x_seconds_total", "y_bytes")))
        .isEqualTo("bytes");
    assertThat(screen.call("histograms.js", "unitOf", List.of("tokens"))).isEqualTo("count");
  }

  @Test
  void explainRows_giveEachPartItsOwnTime() {
    Object rows =
        screen
            .page()
            .evaluate(
                """
                async () => {
                  const {explainRows, explainSentence} = await import('/ui/query-explain.js');
                  const leaf = (seconds, reused) => ({kind: 'range-selector', series: 3, samples: 1200, seconds, reused, children: []});
                  const root = {kind: 'binary', series: 3, samples: 2400, seconds: 0.01, children: [leaf(0.004, false), leaf(0.0001, true)]};
                  return [...explainRows(root).map(({depth, own}) => `${depth} ${own.toFixed(4)}`), explainSentence(root)];
                }""");
    assertThat(rows)
        .isEqualTo(
            List.of(
                "0 0.0059",
                "1 0.0040",
                "1 0.0001",
                "1 selector read 1,200 samples of 3 series; the whole took 10 ms."));
  }
}
