package org.inferometer.exposition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.junit.jupiter.api.Test;

/** Every real page that is at hand, said again in protobuf: the same samples come out. */
class ProtobufAgainstTextTest {
  @Test
  void samples_areThoseOfTheText() throws IOException {
    int pages = 0;
    int samples = 0;
    for (String folder : List.of("metrics", "gpu", "exposition")) {
      for (Path file : pages(Shared.path("fixtures/" + folder))) {
        samples += check(file);
        pages++;
      }
    }
    assertThat(pages).isGreaterThan(100);
    assertThat(samples).isGreaterThan(10_000);
  }

  private static int check(Path file) throws IOException {
    byte[] text = Files.readAllBytes(file);
    String end = Utf8.decode(text, Math.max(0, text.length - 8), text.length);
    Format format = end.strip().endsWith("# EOF") ? Format.OPENMETRICS : Format.TEXT;
    List<Bodies.Sample> expected = Bodies.read(format, Mode.TOLERANT, text).samples();
    Bodies.Outcome outcome =
        Bodies.read(Format.PROTOBUF, Mode.PROMETHEUS, ProtobufPage.ofText(format, text));
    assertThat(outcome.refusal()).as(file.toString()).isNull();
    assertThat(outcome.samples().stream().map(Bodies.Sample::toString))
        .as(file.toString())
        .containsExactlyInAnyOrderElementsOf(
            expected.stream().map(ProtobufAgainstTextTest::withoutZeroTime).toList());
    return expected.size();
  }

  /** Protobuf can't tell the time 0 from none. */
  private static String withoutZeroTime(Bodies.Sample sample) {
    return sample.toString().replaceFirst(" @0$", "");
  }

  private static List<Path> pages(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files
          .filter(Files::isRegularFile)
          .filter(f -> !f.endsWith("PROVENANCE.tsv"))
          .sorted()
          .toList();
    }
  }
}
