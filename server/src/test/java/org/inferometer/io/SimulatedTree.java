package org.inferometer.io;

import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Folders from a root down, and the changes of names that may not be on the medium yet. Each change
 * gets there as a whole or not at all; not before those that it builds upon, but before others that
 * happened earlier. Not thread-safe.
 */
final class SimulatedTree {
  private final SimulatedFolder root;
  private final List<Change> pending = new ArrayList<>();

  /** What a name in a folder stands for from now on; nothing for null. */
  private record Edge(SimulatedFolder folder, String name, @Nullable SimulatedNode node) {
    void apply(Map<String, SimulatedNode> names) {
      if (node == null) {
        names.remove(name);
      } else {
        names.put(name, node);
      }
    }

    /** A name in a folder, to compare by. */
    List<Object> place() {
      return List.of(System.identityHashCode(folder), name);
    }
  }

  /** Edges that change together; {@code nodes} are those that are moved, made or removed. */
  private record Change(List<Edge> edges, Set<SimulatedNode> nodes) {
    boolean buildsOn(Change earlier) {
      return nodes.stream().anyMatch(earlier.nodes::contains)
          || edges.stream()
              .anyMatch(e -> earlier.edges.stream().anyMatch(o -> o.place().equals(e.place())))
          || edges.stream().anyMatch(e -> earlier.nodes.contains(e.folder));
    }

    boolean touches(SimulatedFolder folder) {
      return edges.stream().anyMatch(e -> e.folder == folder);
    }
  }

  SimulatedTree() {
    this(new SimulatedFolder());
  }

  private SimulatedTree(SimulatedFolder root) {
    this.root = root;
  }

  @Nullable SimulatedNode find(Path path) {
    SimulatedNode node = root;
    for (Path name : path.toAbsolutePath().normalize()) {
      if (!(node instanceof SimulatedFolder folder)) {
        return null;
      }
      node = folder.now.get(name.toString());
      if (node == null) {
        return null;
      }
    }
    return node;
  }

  SimulatedFile file(Path path) throws NoSuchFileException {
    return find(path) instanceof SimulatedFile file ? file : missing(path, "expected a file");
  }

  SimulatedFolder folder(Path path) throws NoSuchFileException {
    return find(path) instanceof SimulatedFolder f ? f : missing(path, "expected a folder");
  }

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T missing(Path path, String expected) throws NoSuchFileException {
    throw new NoSuchFileException(path.toString(), null, expected + " that is there");
  }

  SimulatedFolder parent(Path path) throws NoSuchFileException {
    Path parent = path.toAbsolutePath().normalize().getParent();
    return parent == null ? root : folder(parent);
  }

  private static String name(Path path) {
    return String.valueOf(path.toAbsolutePath().normalize().getFileName());
  }

  void put(Path path, SimulatedNode node) throws NoSuchFileException {
    change(List.of(new Edge(parent(path), name(path), node)), Set.of(node));
  }

  void remove(Path path) throws NoSuchFileException {
    SimulatedFolder parent = parent(path);
    SimulatedNode node = parent.now.get(name(path));
    change(List.of(new Edge(parent, name(path), null)), node == null ? Set.of() : Set.of(node));
  }

  void rename(Path from, Path to) throws NoSuchFileException {
    SimulatedNode node = find(from);
    if (node == null) {
      missing(from, "expected a file or folder");
      return;
    }
    change(
        List.of(new Edge(parent(from), name(from), null), new Edge(parent(to), name(to), node)),
        Set.of(node));
  }

  private void change(List<Edge> edges, Set<SimulatedNode> nodes) {
    edges.forEach(e -> e.apply(e.folder.now));
    pending.add(new Change(edges, nodes));
  }

  /** Makes the changes in a folder last, with those that they build upon. */
  void sync(SimulatedFolder folder) {
    Set<Change> wanted = new HashSet<>();
    for (int i = pending.size() - 1; i >= 0; i--) {
      Change change = pending.get(i);
      if (change.touches(folder) || wanted.stream().anyMatch(w -> w.buildsOn(change))) {
        wanted.add(change);
      }
    }
    pending.stream()
        .filter(wanted::contains)
        .forEach(c -> c.edges.forEach(e -> e.apply(e.folder.durable)));
    pending.removeIf(wanted::contains);
  }

  void syncAll() {
    pending.forEach(c -> c.edges.forEach(e -> e.apply(e.folder.durable)));
    pending.clear();
  }

  long bytes() {
    return bytes(root);
  }

  private static long bytes(SimulatedNode node) {
    return switch (node) {
      case SimulatedFile file -> file.size();
      case SimulatedFolder folder ->
          folder.now.values().stream().mapToLong(SimulatedTree::bytes).sum();
    };
  }

  /** The same tree, what isn't synced included. */
  SimulatedTree copy() {
    Map<SimulatedNode, SimulatedNode> copies = new HashMap<>();
    SimulatedTree tree = new SimulatedTree((SimulatedFolder) copy(root, copies));
    for (Change change : pending) {
      List<Edge> edges =
          change.edges.stream()
              .map(
                  e ->
                      new Edge(
                          (SimulatedFolder) copy(e.folder, copies),
                          e.name,
                          e.node == null ? null : copy(e.node, copies)))
              .toList();
      Set<SimulatedNode> nodes = new HashSet<>();
      change.nodes.forEach(n -> nodes.add(copy(n, copies)));
      tree.pending.add(new Change(edges, nodes));
    }
    return tree;
  }

  private static SimulatedNode copy(SimulatedNode node, Map<SimulatedNode, SimulatedNode> copies) {
    SimulatedNode known = copies.get(node);
    if (known != null) {
      return known;
    }
    return switch (node) {
      case SimulatedFile file -> {
        SimulatedFile copy = file.copy();
        copies.put(file, copy);
        yield copy;
      }
      case SimulatedFolder folder -> {
        SimulatedFolder copy = new SimulatedFolder();
        copies.put(folder, copy);
        folder.now.forEach((name, n) -> copy.now.put(name, copy(n, copies)));
        folder.durable.forEach((name, n) -> copy.durable.put(name, copy(n, copies)));
        yield copy;
      }
    };
  }

  /** As it may be after a power cut. */
  SimulatedTree afterCut(SimulatedDisk.Loss loss, RandomGenerator random) {
    Map<SimulatedFolder, Map<String, SimulatedNode>> names = new HashMap<>();
    List<Change> lost = new ArrayList<>();
    for (Change change : pending) {
      if (loses(loss, random) || lost.stream().anyMatch(change::buildsOn)) {
        lost.add(change);
      } else {
        change.edges.forEach(e -> e.apply(namesOf(e.folder, names)));
      }
    }
    return new SimulatedTree(
        (SimulatedFolder) afterCut(root, names, loss, random, new HashMap<>()));
  }

  private static boolean loses(SimulatedDisk.Loss loss, RandomGenerator random) {
    return switch (loss) {
      case ALL, NAMES -> true;
      case BYTES -> false;
      case SOME -> random.nextInt(3) == 0;
    };
  }

  private static Map<String, SimulatedNode> namesOf(
      SimulatedFolder folder, Map<SimulatedFolder, Map<String, SimulatedNode>> names) {
    return names.computeIfAbsent(folder, f -> new TreeMap<>(f.durable));
  }

  private static SimulatedNode afterCut(
      SimulatedNode node,
      Map<SimulatedFolder, Map<String, SimulatedNode>> names,
      SimulatedDisk.Loss loss,
      RandomGenerator random,
      Map<SimulatedNode, SimulatedNode> done) {
    SimulatedNode known = done.get(node);
    if (known != null) {
      return known;
    }
    SimulatedNode result =
        switch (node) {
          case SimulatedFile file -> afterCut(file, loss, random);
          case SimulatedFolder folder -> {
            SimulatedFolder copy = new SimulatedFolder();
            namesOf(folder, names)
                .forEach((name, n) -> copy.now.put(name, afterCut(n, names, loss, random, done)));
            copy.durable.putAll(copy.now);
            yield copy;
          }
        };
    done.put(node, result);
    return result;
  }

  private static SimulatedFile afterCut(
      SimulatedFile file, SimulatedDisk.Loss loss, RandomGenerator random) {
    return switch (loss) {
      case ALL, BYTES -> file.durable();
      case NAMES -> SimulatedFile.of(file.bytes());
      case SOME -> file.torn(random);
    };
  }
}
