package org.inferometer.scrape;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.config.Config;
import org.inferometer.config.ConfigException;
import org.inferometer.config.ConfigFile;
import org.inferometer.model.Labels;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RelabelingTest {
  /** Rules in YAML, labels before, labels after; a lone minus for dropped. */
  private static final String CASES =
      """
      {target_label: d, replacement: x}                                   | a=1         | a=1 d=x
      {source_labels: [a], target_label: d}                               | a=1         | a=1 d=1
      {source_labels: [a, b], target_label: d}                            | a=1 b=2     | a=1 b=2 d=1;2
      {source_labels: [a, zz, b], separator: '', target_label: d}         | a=1 b=2     | a=1 b=2 d=12
      {source_labels: [a], regex: f(.*), target_label: d, replacement: $1-$1} | a=foo   | a=foo d=oo-oo
      {source_labels: [a], regex: f(.*), target_label: d, replacement: '${1}x'} | a=foo | a=foo d=oox
      {source_labels: [a], regex: f(.*), target_label: d, replacement: $1x} | a=foo d=y | a=foo
      {source_labels: [a], regex: f(.*), target_label: d, replacement: $$1} | a=foo     | a=foo d=$1
      {source_labels: [a], regex: f(.*), target_label: d, replacement: $}  | a=foo      | a=foo d=$
      {source_labels: [a], regex: f(.*), target_label: d, replacement: '${'} | a=foo    | a=foo d=${
      {source_labels: [a], regex: f(.*), target_label: d, replacement: $9z$9} | a=foo   | a=foo
      {source_labels: [a], regex: f(.*), target_label: d, replacement: $0}  | a=foo     | a=foo d=foo
      {source_labels: [a], regex: '(?P<n>f)oo', target_label: d, replacement: $n} | a=foo | a=foo d=f
      {source_labels: [a], regex: '(b)|foo', target_label: d, replacement: 'x$1'} | a=foo | a=foo d=x
      {source_labels: [a], regex: oo, target_label: d, replacement: x}     | a=foo      | a=foo
      {source_labels: [a], regex: f|fo, target_label: d, replacement: x}   | a=foo      | a=foo
      {source_labels: [a], regex: (f)oo, target_label: $1, replacement: x} | a=foo      | a=foo f=x
      {source_labels: [a], regex: '(f)(x?)oo', target_label: $2, replacement: x} | a=foo  | a=foo
      {source_labels: [a], target_label: a, replacement: ''}               | a=foo b=1  | b=1
      {source_labels: [a], regex: '(.*)', target_label: d, replacement: é} | a=foo      | a=foo d=é
      {source_labels: [zz], target_label: d, replacement: x}               | a=1        | a=1 d=x
      {source_labels: [zz], regex: '.+', target_label: d, replacement: x}  | a=1        | a=1
      {source_labels: [a], regex: f.*, action: keep}                       | a=foo      | a=foo
      {source_labels: [a], regex: o.*, action: keep}                       | a=foo      | -
      {source_labels: [a], regex: f.*, action: drop}                       | a=foo      | -
      {source_labels: [a], regex: o, action: DROP}                         | a=foo      | a=foo
      {source_labels: [zz], regex: '', action: drop}                       | a=foo      | -
      {source_labels: [a], target_label: b, action: keepequal}             | a=1 b=1    | a=1 b=1
      {source_labels: [a], target_label: b, action: keepequal}             | a=1 b=2    | -
      {source_labels: [a], target_label: b, action: dropequal}             | a=1 b=1    | -
      {source_labels: [a], target_label: b, action: dropequal}             | a=1 b=2    | a=1 b=2
      {source_labels: [c], target_label: d, action: hashmod, modulus: 1000} | c=baz     | c=baz d=976
      {source_labels: [a], target_label: d, action: hashmod, modulus: 1}   | a=x        | a=x d=0
      {regex: (b.*), action: labelmap, replacement: x_$1}                  | a=1 b1=2 b2=3 | a=1 b1=2 b2=3 x_b1=2 x_b2=3
      {regex: meta_(ng.*), action: labelmap}                               | meta_ng_x=1 meta_y=2 | meta_ng_x=1 meta_y=2 ng_x=1
      {regex: (b.*), action: labeldrop}                                    | a=1 b1=2 b2=3 | a=1
      {regex: (b.*), action: labelkeep}                                    | a=1 b1=2 b2=3 | b1=2 b2=3
      {source_labels: [a], target_label: d, action: lowercase}             | a=FOOÄ     | a=FOOÄ d=fooä
      {source_labels: [a], target_label: d, action: uppercase}             | a=bß       | a=bß d=Bß
      {source_labels: [a], regex: foo, action: drop}, {target_label: d, replacement: x} | a=bar | a=bar d=x
      {target_label: d, replacement: x}, {source_labels: [d], regex: x, action: drop} | a=1 | -
      {source_labels: [a], target_label: my.label}                         | a=1        | a=1 my.label=1
      """;

  static Stream<String> cases() {
    return CASES.lines();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void rules_doWhatPrometheusDoes(String line) throws ConfigException {
    int second = line.lastIndexOf('|');
    int first = line.lastIndexOf('|', second - 1);
    Labels before = labels(line.substring(first + 1, second).strip());
    String after = line.substring(second + 1).strip();
    Labels result = relabeling(line.substring(0, first)).apply(before);
    assertThat(result).isEqualTo(after.equals("-") ? null : labels(after));
  }

  private static Relabeling relabeling(String rules) throws ConfigException {
    String yaml = "scrape_configs: [{job_name: a, relabel_configs: [" + rules + "]}]";
    Config config = ConfigFile.parse("f", yaml.getBytes(StandardCharsets.UTF_8), Path.of(""));
    return new Relabeling(config.scrapeConfigs().getFirst().relabelRules());
  }

  private static Labels labels(String text) {
    List<String> words = new ArrayList<>();
    for (String pair : text.split(" ", -1)) {
      words.addAll(List.of(pair.split("=", 2)));
    }
    return Labels.of(words.toArray(String[]::new));
  }
}
