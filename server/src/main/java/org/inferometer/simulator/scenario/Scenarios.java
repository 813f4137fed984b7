package org.inferometer.simulator.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.io.Bundled;
import org.inferometer.simulator.scenario.Scenario.Happening;
import org.inferometer.yaml.YamlException;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/** The scenarios that come with the program, and the way to read others. Thread-safe. */
public final class Scenarios {
  private static final String FOLDER = "scenarios/";

  /** The names of all, one a line, since a folder inside a jar can't be listed plainly. */
  private static final String LIST = FOLDER + "list.txt";

  private static final String ENDING = ".yaml";

  private final Map<String, Extends.Text> texts;

  private Scenarios(Map<String, Extends.Text> texts) {
    this.texts = texts;
  }

  /**
   * A scenario by its name, and what it is about.
   *
   * @param looksLike the cause that it is easily taken for; null if none
   * @param twinOf the scenario that this one is the healthy side of; null if none
   */
  public record Entry(
      String name,
      String title,
      String cause,
      @Nullable String looksLike,
      @Nullable String twinOf) {}

  public static Scenarios builtIn() {
    Map<String, Extends.Text> texts = new LinkedHashMap<>();
    Bundled.text("simulator/" + LIST)
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty() && !line.startsWith("#"))
        .forEach(name -> texts.put(name, builtIn(name)));
    return new Scenarios(texts);
  }

  private static Extends.Text builtIn(String name) {
    String file = FOLDER + name + ENDING;
    return new Extends.Text(file, Bundled.text("simulator/" + file));
  }

  /** In the order of the list: by cause. */
  public List<String> names() {
    return List.copyOf(texts.keySet());
  }

  /** Names, titles and causes, in the order of the list. */
  public List<Entry> entries() {
    List<Entry> entries = new ArrayList<>();
    texts.forEach(
        (name, text) -> {
          YamlNode node = ScenarioFile.parse(text.file(), text.text());
          YamlNode truth = YamlNode.find(node, "truth");
          entries.add(
              new Entry(
                  name,
                  text(node, "title"),
                  text(truth, "cause"),
                  scalar(truth, "looks_like"),
                  scalar(truth, "twin_of")));
        });
    return entries;
  }

  private static String text(@Nullable YamlNode node, String key) {
    String text = scalar(node, key);
    return text == null ? "" : text;
  }

  private static @Nullable String scalar(@Nullable YamlNode node, String key) {
    return YamlNode.find(node, key) instanceof YamlNode.Scalar scalar ? scalar.text() : null;
  }

  public boolean has(String name) {
    return texts.containsKey(name);
  }

  /**
   * A scenario that comes with the program.
   *
   * @throws IllegalArgumentException if there is none of that name
   */
  public Scenario get(String name) {
    Extends.Text text = texts.get(name);
    if (text == null) {
      throw new IllegalArgumentException("there is no scenario \"" + name + "\"");
    }
    return ScenarioFile.read(name, text.file(), text.text(), texts::get);
  }

  /**
   * Reads a file; what it extends stands beside it or comes with the program.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  public Scenario read(Path file) throws IOException {
    return ScenarioFile.read(
        name(file), file.toString(), content(file), name -> beside(file, name));
  }

  /** Reads a scenario that stands nowhere but in this text. */
  public Scenario read(String name, String text) {
    return ScenarioFile.read(name, name, text, texts::get);
  }

  /**
   * Reads one event, as a scenario has them, for one that runs; its time counts from now. JSON is
   * YAML enough.
   *
   * @throws YamlException if anything is wrong, with all that is
   */
  public static Happening readHappening(String text, Scenario scenario) {
    return ScenarioFile.readHappening("event", text, scenario);
  }

  private Extends.@Nullable Text beside(Path file, String name) {
    Path other = file.resolveSibling(name + ENDING);
    try {
      return Files.isRegularFile(other)
          ? new Extends.Text(other.toString(), content(other))
          : texts.get(name);
    } catch (IOException e) {
      return null;
    }
  }

  private static String content(Path file) throws IOException {
    // What isn't a regular file doesn't know its size, and may never end.
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(Bounds.FILE_MAX + 1);
      if (bytes.length > Bounds.FILE_MAX) {
        throw new IOException(file + " has more than " + Bounds.FILE_MAX + " bytes");
      }
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw new IOException(file + " isn't UTF-8 text", e);
    }
  }

  private static String name(Path file) {
    String name = String.valueOf(file.getFileName());
    return name.endsWith(ENDING) ? name.substring(0, name.length() - ENDING.length()) : name;
  }
}
