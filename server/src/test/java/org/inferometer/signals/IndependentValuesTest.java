package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.inferometer.Shared;
import org.inferometer.query.QueryException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Signals against arithmetic over the lines of their pages, which says what each value means. The
 * pages are read once more for it, by means that the program doesn't use.
 */
class IndependentValuesTest {
  private static final Path CELLS = Path.of("src/test/resources/signals/cells.tsv");

  /** The share of a host's counters that came about in the last minute. */
  private static final double HOST_RISE = 0.005;

  /**
   * One value of one signal.
   *
   * @param page how its file's name begins, and after a colon the service if the page has several
   * @param labels that tell its series apart, separated by blanks, or -
   */
  record Cell(String page, String signal, String labels, String arithmetic, double value) {
    static Cell of(String line) {
      String[] columns = line.split("\t", -1);
      return new Cell(
          columns[0], columns[1], columns[2], columns[3], Double.parseDouble(columns[4]));
    }

    String file() {
      return page.contains(":") ? page.substring(0, page.indexOf(':')) : page;
    }

    /** Whether a service of the page is meant. */
    boolean means(Service service) {
      return !page.contains(":") || service.name().equals(page.substring(page.indexOf(':') + 1));
    }
  }

  static Stream<List<Cell>> pages() {
    Map<String, List<Cell>> pages = new LinkedHashMap<>();
    cells().forEach(cell -> pages.computeIfAbsent(cell.page(), p -> new ArrayList<>()).add(cell));
    return pages.values().stream();
  }

  private static List<Cell> cells() {
    try {
      return Files.readAllLines(CELLS).stream()
          .filter(line -> !line.startsWith("#"))
          .map(Cell::of)
          .toList();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void everyCell(List<Cell> cells) throws IOException, QueryException {
    Path file = file(cells.getFirst().file());
    PlainPage page = new PlainPage(Files.readAllLines(file));
    Signals signals = signals(file);
    for (Cell cell : cells) {
      assertThat(page.arithmetic(cell.arithmetic()))
          .as(cell + " by arithmetic")
          .isCloseTo(cell.value(), close(cell));
      assertThat(value(signals, cell))
          .as(cell + " by the program")
          .isCloseTo(cell.value(), close(cell));
    }
  }

  private static org.assertj.core.data.Offset<Double> close(Cell cell) {
    return within(Math.abs(cell.value()) * 1e-8);
  }

  private static Path file(String start) throws IOException {
    for (String folder : List.of("fixtures/metrics", "fixtures/gpu")) {
      try (Stream<Path> files = Files.list(Shared.path(folder))) {
        List<Path> found =
            files.filter(file -> file.getFileName().toString().startsWith(start)).toList();
        if (!found.isEmpty()) {
          assertThat(found).as(start).hasSize(1);
          return found.getFirst();
        }
      }
    }
    throw new AssertionError("no page begins with " + start);
  }

  private static Signals signals(Path file) {
    double rise = file.getFileName().toString().startsWith("node") ? HOST_RISE : 1;
    return Backend.signals(
        new TestWorld().add(Dump.read(file), "dumps", "host:1", rise), Goals.NONE);
  }

  private static double value(Signals signals, Cell cell) throws QueryException {
    Service service =
        signals.services().services().stream().filter(cell::means).findFirst().orElseThrow();
    SignalBatch.Request request =
        new SignalBatch.Request(service.id(), List.of(cell.signal()), List.of());
    SignalResult result =
        signals.query(SignalBatch.at(TestWorld.NOW_MS, List.of(request))).results().getFirst();
    List<SignalSeries> found =
        result.series().stream().filter(series -> hasLabels(series, cell.labels())).toList();
    assertThat(found).as(cell + " in " + result).hasSize(1);
    return found.getFirst().values()[0];
  }

  private static boolean hasLabels(SignalSeries series, String labels) {
    String all = series.labels().toString();
    return labels.equals("-") || Stream.of(labels.split(" ")).allMatch(all::contains);
  }

  @Test
  void thereAreManyCellsOverManyEngines() {
    List<Cell> cells = cells();
    assertThat(cells).hasSizeGreaterThan(80).doesNotHaveDuplicates();
    assertThat(cells.stream().map(cell -> cell.page().replaceAll("[_-].*", "")).distinct())
        .hasSizeGreaterThanOrEqualTo(10);
  }
}
