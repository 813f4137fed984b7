package org.inferometer.simulator.page;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.inferometer.io.Bundled;
import org.inferometer.model.Version;
import org.inferometer.yaml.YamlException;
import org.jspecify.annotations.Nullable;

/**
 * What pages of one kind of endpoint look like, over all its releases and front ends: the content
 * of a page file. Immutable.
 *
 * <p>Facts that subjects bring for the pages of engines, by name:
 *
 * <ul>
 *   <li>{@code model_name}: as it is served; {@code engine}: the index among data-parallel ones
 *   <li>{@code max_model_len}: tokens; also decides the buckets of token counts
 *   <li>{@code speculation}: how many tokens are drafted, if any are
 *   <li>{@code adapters}: slots for adapters, if adapters are on
 *   <li>{@code transfers}: there if KV is sent between instances
 *   <li>{@code mfu}: there if floating point operations are estimated
 *   <li>of the KV cache, as the engine's configuration calls them: {@code block_size}, {@code
 *       num_gpu_blocks}, {@code cache_dtype}, {@code gpu_memory_utilization}, {@code
 *       enable_prefix_caching} (True or False), ...; those that aren't brought are as the page
 *       file's {@code facts} say
 * </ul>
 */
public final class PageFile {
  /** What begins the value of a label that is made of a quantity's labels. */
  static final String JOIN = "$join:";

  /** The name of a part of a label that series aren't told apart by. */
  static final String NOT_TOLD_APART = "_";

  record ContentType(String text, Scope scope) {}

  /** What labels subjects of a kind have, in a scope. */
  record KindLabels(String kind, Map<String, String> labels, Scope scope) {
    KindLabels {
      labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }
  }

  record Bounds(String name, List<Double> edges, Scope scope) {
    Bounds {
      edges = List.copyOf(edges);
    }
  }

  /** Read once, since a fleet has many endpoints of a kind. */
  private static final Map<String, PageFile> BUILT_IN = new ConcurrentHashMap<>();

  private final String id;
  private final Map<String, String> styles;
  private final List<ContentType> contentTypes;
  private final Set<String> created;
  private final List<String> order;
  private final Map<String, String> facts;
  private final List<KindLabels> labels;
  private final List<Bounds> bounds;
  private final List<Family> families;

  PageFile(
      String id,
      Map<String, String> styles,
      List<ContentType> contentTypes,
      List<String> created,
      List<String> order,
      Map<String, String> facts,
      List<KindLabels> labels,
      List<Bounds> bounds,
      List<Family> families) {
    this.id = id;
    this.styles = Map.copyOf(styles);
    this.contentTypes = List.copyOf(contentTypes);
    this.created = Set.copyOf(created);
    this.order = List.copyOf(order);
    this.facts = Map.copyOf(facts);
    this.labels = List.copyOf(labels);
    this.bounds = List.copyOf(bounds);
    this.families = List.copyOf(families);
  }

  /** One that comes with the program. */
  public static PageFile builtIn(String id) {
    return BUILT_IN.computeIfAbsent(id, PageFile::load);
  }

  private static PageFile load(String id) {
    String file = "simulator/pages/" + id + ".yaml";
    return read(file, Bundled.text(file));
  }

  /**
   * @param file its name, for messages
   * @throws YamlException if anything in it is wrong; tells all of it
   */
  public static PageFile read(String file, String text) {
    return PageReader.read(file, text);
  }

  public String id() {
    return id;
  }

  /** The page of a release that has no choice of front ends. */
  public PageForm form(Version release, Map<String, String> ofEndpoint) {
    return form(release, "", ofEndpoint);
  }

  /**
   * The page of one release and front end.
   *
   * @param frontend such as {@code python}; "" if the page knows of none
   * @param ofEndpoint facts that hold for all subjects, unless they bring their own
   * @throws IllegalArgumentException if there is no such front end, or not in that release
   */
  public PageForm form(Version release, String frontend, Map<String, String> ofEndpoint) {
    style(frontend);
    List<Family> there = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Family family : families) {
      if (family.scope().holds(release, frontend)) {
        if (!names.add(family.name())) {
          throw YamlException.of(
              family.place(),
              family.name() + " stands twice on the page of " + release + " " + frontend);
        }
        there.add(family);
      }
    }
    if (there.isEmpty()) {
      throw new IllegalArgumentException(
          "the page " + id + " has nothing for " + release + " " + frontend);
    }
    return new PageForm(this, release, frontend, all(ofEndpoint), there);
  }

  /** An endpoint's facts and, for those it doesn't bring, the page's; one may name another. */
  private Map<String, String> all(Map<String, String> ofEndpoint) {
    Map<String, String> all = new LinkedHashMap<>(facts);
    all.putAll(ofEndpoint);
    all.replaceAll(
        (name, value) ->
            value.startsWith("$") ? all.getOrDefault(value.substring(1), value) : value);
    return all;
  }

  Style style(String frontend) {
    String word = styles.get(frontend);
    if (word == null) {
      word = styles.get("");
    }
    if (word == null) {
      throw new IllegalArgumentException("the page " + id + " has no front end " + frontend);
    }
    return Style.valueOf(word.toUpperCase(Locale.ROOT));
  }

  String contentType(Version release, String frontend) {
    for (ContentType type : contentTypes) {
      if (type.scope().holds(release, frontend)) {
        return type.text();
      }
    }
    return "text/plain; version=0.0.4; charset=utf-8";
  }

  boolean showsCreated(String frontend) {
    return created.contains(frontend);
  }

  /** The order of labels where it isn't that of their names. */
  List<String> order() {
    return order;
  }

  /** The labels of subjects of a kind; null if they have their own. */
  @Nullable Map<String, String> labels(String kind, Version release, String frontend) {
    for (KindLabels one : labels) {
      if (one.kind().equals(kind) && one.scope().holds(release, frontend)) {
        return one.labels();
      }
    }
    return null;
  }

  /** Those of a release and front end; null if the page has none by that name. */
  @Nullable List<Double> bounds(String name, Version release, String frontend) {
    for (Bounds one : bounds) {
      if (one.name().equals(name) && one.scope().holds(release, frontend)) {
        return one.edges();
      }
    }
    return null;
  }
}
