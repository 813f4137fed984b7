package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;
import org.jspecify.annotations.Nullable;

/**
 * The flags of engines that change what a diagnosis is about, and profiles made of them. Immutable.
 */
public final class Flags {
  private static final String PATH = "diagnosis/flags.yaml";

  /** Engines that take another's flags, since it runs inside them. */
  private static final Map<String, String> SAME_AS =
      Map.of("ray-vllm", "vllm", "triton-vllm", "vllm", "trtllm-disagg", "trtllm");

  private final Map<String, Flag> byId;
  private final List<Profile> profiles;

  private Flags(Map<String, Flag> byId, List<Profile> profiles) {
    this.byId = byId;
    this.profiles = List.copyOf(profiles);
  }

  /**
   * What can be set, whatever the engine calls it.
   *
   * @param is what it means, a phrase
   * @param engines how each engine calls it, by its id
   */
  public record Flag(String id, String is, Map<String, OfEngine> engines) {
    public Flag {
      engines = Map.copyOf(engines);
    }

    /** How an engine calls it, null if it has no such flag. */
    public @Nullable OfEngine of(String engine) {
      return engines.get(SAME_AS.getOrDefault(engine, engine));
    }
  }

  /**
   * A flag of one engine.
   *
   * @param flag as it is written on the command line, or the key of a file
   * @param setting the name under which the engine tells its value, or null
   * @param byDefault the value without it, or null if that isn't known
   * @param note from which release it is there, or null
   */
  public record OfEngine(
      String flag, @Nullable String setting, @Nullable String byDefault, @Nullable String note) {}

  /** What to start an engine with for a goal. */
  public record Profile(String goal, String is, List<Setting> settings) {
    public Profile {
      settings = List.copyOf(settings);
    }
  }

  /**
   * A flag of a profile.
   *
   * @param propose what computes a value from what was measured, or null
   * @param value in words, where nothing is measured
   */
  public record Setting(
      String flag, @Nullable String propose, String value, String why, String expect) {}

  /** Those that come with the program; read once. */
  public static Flags builtIn() {
    return BuiltIn.FLAGS;
  }

  private static final class BuiltIn {
    static final Flags FLAGS = parse(PATH, Bundled.text(PATH));
  }

  public Collection<Flag> all() {
    return byId.values();
  }

  /**
   * A flag.
   *
   * @throws IllegalArgumentException if there is none of that id
   */
  public Flag get(String id) {
    Flag flag = byId.get(id);
    if (flag == null) {
      throw new IllegalArgumentException("there is no flag " + id);
    }
    return flag;
  }

  public List<Profile> profiles() {
    return profiles;
  }

  private static Flags parse(String path, String text) {
    Problems problems = new Problems();
    Fields top = new Fields(YamlNode.parse(path, text), "the file", problems);
    Map<String, Flag> byId = new LinkedHashMap<>();
    for (YamlNode node : top.list("flags")) {
      Flag flag = flag(top.within(node, "a flag"));
      byId.put(flag.id(), flag);
    }
    List<Profile> profiles = new ArrayList<>();
    for (YamlNode node : top.list("profiles")) {
      profiles.add(profile(top.within(node, "a profile")));
    }
    top.end();
    problems.throwIfAny();
    return new Flags(byId, profiles);
  }

  private static Flag flag(Fields fields) {
    Map<String, OfEngine> engines = new LinkedHashMap<>();
    for (YamlNode node : fields.list("engines")) {
      Fields one = fields.within(node, "a flag of an engine");
      engines.put(
          one.text("engine"),
          new OfEngine(
              one.text("flag"),
              one.optionalText("setting"),
              one.optionalText("default"),
              one.optionalText("note")));
      one.end();
    }
    Flag flag = new Flag(fields.text("id"), fields.text("is"), engines);
    fields.end();
    return flag;
  }

  private static Profile profile(Fields fields) {
    List<Setting> settings = new ArrayList<>();
    for (YamlNode node : fields.list("flags")) {
      Fields one = fields.within(node, "a flag of a profile");
      settings.add(
          new Setting(
              one.text("flag"),
              one.optionalText("propose"),
              one.text("value"),
              one.text("why"),
              one.text("expect")));
      one.end();
    }
    Profile profile = new Profile(fields.text("goal"), fields.text("is"), settings);
    fields.end();
    return profile;
  }
}
