package org.inferometer.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.inferometer.diagnosis.world.Symptom;
import org.inferometer.io.Bundled;
import org.inferometer.yaml.Fields;
import org.inferometer.yaml.Problems;
import org.inferometer.yaml.YamlNode;

/** All causes by id, and which leads to which. Immutable. */
public final class Causes {
  private static final String PATH = "diagnosis/causes.yaml";
  private static final Set<String> LAYERS =
      Set.of("client", "gateway", "request", "engine", "gpu", "host", "telemetry");

  private final Map<String, Cause> byId;
  private final Map<String, Set<String>> consequences = new LinkedHashMap<>();

  private Causes(Map<String, Cause> byId) {
    this.byId = Collections.unmodifiableMap(byId);
    byId.keySet().forEach(id -> consequences.put(id, reach(id)));
  }

  /** Those that come with the program; read once. */
  public static Causes builtIn() {
    return BuiltIn.CAUSES;
  }

  private static final class BuiltIn {
    static final Causes CAUSES = parse(PATH, Bundled.text(PATH));
  }

  /** In the order of the documentation. */
  public Collection<Cause> all() {
    return byId.values();
  }

  /**
   * A cause.
   *
   * @throws IllegalArgumentException if there is none of that id
   */
  public Cause get(String id) {
    Cause cause = byId.get(id);
    if (cause == null) {
      throw new IllegalArgumentException("there is no cause " + id);
    }
    return cause;
  }

  /** Whether the second can be a consequence of the first, at whatever remove. */
  public boolean leadsTo(String cause, String consequence) {
    return consequences.getOrDefault(cause, Set.of()).contains(consequence);
  }

  private Set<String> reach(String from) {
    Set<String> found = new LinkedHashSet<>();
    List<String> open = new ArrayList<>(get(from).leadsTo());
    while (!open.isEmpty()) {
      String next = open.removeLast();
      if (found.add(next)) {
        open.addAll(get(next).leadsTo());
      }
    }
    return found;
  }

  /**
   * Reads causes.
   *
   * @throws IllegalArgumentException with all that is wrong: unknown ids, circles, missing keys
   */
  static Causes parse(String path, String text) {
    Problems problems = new Problems();
    Fields top = new Fields(YamlNode.parse(path, text), "the file", problems);
    Map<String, Cause> byId = new LinkedHashMap<>();
    Map<String, Fields> places = new LinkedHashMap<>();
    for (YamlNode node : top.list("causes")) {
      Fields fields = top.within(node, "a cause");
      Cause cause = cause(fields);
      places.put(cause.id(), fields);
      if (byId.put(cause.id(), cause) != null) {
        fields.problem("id", "\"" + cause.id() + "\" stands there twice");
      }
    }
    top.end();
    checkNames(byId, places);
    problems.throwIfAny();
    checkCircles(byId, places);
    problems.throwIfAny();
    return new Causes(byId);
  }

  private static Cause cause(Fields fields) {
    String layer = fields.text("layer");
    if (!LAYERS.contains(layer)) {
      fields.problem("layer", "there is no layer \"" + layer + "\"");
    }
    List<Cause.Look> looks = new ArrayList<>();
    for (YamlNode node : fields.list("looks")) {
      Fields look = fields.within(node, "a look");
      looks.add(new Cause.Look(look.text("layer"), look.text("by")));
      look.end();
    }
    List<Cause.Unlike> unlike = new ArrayList<>();
    for (YamlNode node : fields.list("unlike")) {
      Fields other = fields.within(node, "a look-alike");
      unlike.add(new Cause.Unlike(other.text("cause"), other.text("by")));
      other.end();
    }
    Cause cause =
        new Cause(
            fields.text("id"),
            fields.text("title"),
            layer,
            fields.text("because"),
            "true".equals(fields.optionalText("generic")),
            "true".equals(fields.optionalText("alone")),
            "true".equals(fields.optionalText("mild")),
            "true".equals(fields.optionalText("takes_out")),
            felt(fields),
            fields.text("is").strip(),
            looks,
            unlike,
            fields.optionalTexts("leads_to"),
            fields.optionalTexts("sources"));
    fields.end();
    return cause;
  }

  private static Set<Symptom.Kind> felt(Fields fields) {
    Set<Symptom.Kind> felt = EnumSet.noneOf(Symptom.Kind.class);
    for (String name : fields.optionalTexts("felt")) {
      switch (name.toUpperCase(Locale.ROOT)) {
        case "TTFT" -> felt.add(Symptom.Kind.TTFT);
        case "TPOT" -> felt.add(Symptom.Kind.TPOT);
        case "ITL" -> felt.add(Symptom.Kind.ITL_TAIL);
        case "E2E" -> felt.add(Symptom.Kind.E2E);
        case "FAILURES" -> felt.add(Symptom.Kind.FAILURES);
        default -> fields.problem("felt", "users don't feel \"" + name + "\"");
      }
    }
    return felt;
  }

  private static void checkNames(Map<String, Cause> byId, Map<String, Fields> places) {
    for (Cause cause : byId.values()) {
      Set<String> named = new LinkedHashSet<>(cause.leadsTo());
      cause.unlike().forEach(other -> named.add(other.cause()));
      for (String name : named) {
        if (!byId.containsKey(name) || name.equals(cause.id())) {
          at(places, cause).problem("id", cause.id() + " names \"" + name + "\"");
        }
      }
    }
  }

  private static void checkCircles(Map<String, Cause> byId, Map<String, Fields> places) {
    for (Cause cause : byId.values()) {
      Set<String> seen = new HashSet<>();
      List<String> open = new ArrayList<>(cause.leadsTo());
      while (!open.isEmpty()) {
        String next = open.removeLast();
        if (next.equals(cause.id())) {
          at(places, cause).problem("leads_to", cause.id() + " leads to itself");
          return;
        }
        Cause consequence = byId.get(next);
        if (seen.add(next) && consequence != null) {
          open.addAll(consequence.leadsTo());
        }
      }
    }
  }

  private static Fields at(Map<String, Fields> places, Cause cause) {
    Fields fields = places.get(cause.id());
    if (fields == null) {
      throw new IllegalStateException("no place of " + cause.id());
    }
    return fields;
  }
}
