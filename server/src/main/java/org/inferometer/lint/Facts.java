package org.inferometer.lint;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.inferometer.io.Bundled;
import org.jspecify.annotations.Nullable;

/** What is known of metric names beyond what the dialects say, read from a resource. */
final class Facts {
  private final List<Namespace> namespaces;
  private final List<Hidden> hidden;
  private final List<Sticky> sticky;
  private final List<Mask> masks;
  private final Set<String> nanoseconds;
  private final Set<String> itl;
  private final Set<String> tpot;
  private final Set<String> pointedLe;
  private final Set<String> fillWords;

  private Facts(Node root) {
    namespaces = root.items("namespaces").stream().map(Facts::namespace).toList();
    hidden =
        root.items("hidden").stream()
            .map(node -> new Hidden(node.text("prefix"), node.text("flag")))
            .toList();
    sticky =
        root.items("sticky").stream()
            .map(node -> new Sticky(node.text("family"), node.text("says"), node.text("fix")))
            .toList();
    masks = root.items("masks").stream().map(Facts::mask).toList();
    nanoseconds = texts(root, "nanoseconds");
    itl = texts(root, "itl");
    tpot = texts(root, "tpot");
    pointedLe = texts(root, "pointed_le");
    fillWords = texts(root, "fill_words");
  }

  /**
   * A prefix that belongs to one engine or exporter.
   *
   * @param colon how it reads in the catalogue, where another writes it without a colon
   * @param escaped whether it is only seen where colons are replaced on the way
   * @param open whether not all of its names are known
   * @param dialect whose it is first of all, where others use names of it as well; else null
   */
  record Namespace(
      String prefix,
      String title,
      @Nullable String colon,
      boolean escaped,
      boolean open,
      @Nullable String dialect) {}

  /** A prefix of families that a flag removes. */
  record Hidden(String prefix, String flag) {}

  /** A gauge that keeps the last event. */
  record Sticky(String family, String says, String fix) {}

  /** A gauge of bits. */
  record Mask(Set<String> families, String harmless, List<Bit> bits) {}

  /** A bit, its name, and the words by which texts speak of it. */
  record Bit(int bit, String name, List<String> words) {}

  /** What comes with the program. */
  static Facts builtIn() {
    try {
      return new Facts(
          YamlReader.read(MappedText.ofFile(Bundled.text("lint/facts.yaml"))).getFirst());
    } catch (Unreadable e) {
      throw new IllegalStateException("the program's file lint/facts.yaml is damaged", e);
    }
  }

  private static Namespace namespace(Node node) {
    String colon = node.text("colon");
    return new Namespace(
        node.text("prefix"),
        node.text("title"),
        colon.isEmpty() ? null : colon,
        node.text("escaped").equals("true"),
        node.text("open").equals("true"),
        node.text("dialect").isEmpty() ? null : node.text("dialect"));
  }

  private static Mask mask(Node node) {
    return new Mask(
        texts(node, "families"),
        node.text("harmless"),
        node.items("bits").stream()
            .map(
                bit ->
                    new Bit(
                        Integer.parseInt(bit.text("bit")),
                        bit.text("name"),
                        List.copyOf(texts(bit, "words"))))
            .toList());
  }

  private static Set<String> texts(Node node, String key) {
    Set<String> texts = new HashSet<>();
    for (Node item : node.items(key)) {
      if (item instanceof Node.Scalar scalar) {
        texts.add(scalar.text());
      }
    }
    return texts;
  }

  /** The longest prefix that a name begins with, null if it is nobody's. */
  @Nullable Namespace namespace(String metric) {
    Namespace best = null;
    for (Namespace one : namespaces) {
      if (metric.startsWith(one.prefix())
          && (best == null || one.prefix().length() > best.prefix().length())) {
        best = one;
      }
    }
    return best;
  }

  @Nullable String flagThatHides(String metric) {
    return hidden.stream()
        .filter(one -> metric.startsWith(one.prefix()))
        .map(Hidden::flag)
        .findFirst()
        .orElse(null);
  }

  @Nullable Sticky sticky(String metric) {
    return sticky.stream().filter(one -> one.family().equals(metric)).findFirst().orElse(null);
  }

  @Nullable Mask mask(String metric) {
    return masks.stream().filter(one -> one.families().contains(metric)).findFirst().orElse(null);
  }

  boolean isNanoseconds(String family) {
    return nanoseconds.contains(family);
  }

  boolean isInterTokenLatency(String family) {
    return itl.contains(family);
  }

  boolean isTimePerOutputToken(String family) {
    return tpot.contains(family);
  }

  /** Whether whole bucket edges are written with a point. */
  boolean pointsLe(String dialect) {
    return pointedLe.contains(dialect);
  }

  /** Whether a family says how full something is. */
  boolean isFill(String family) {
    return fillWords.stream().anyMatch(family::contains);
  }
}
