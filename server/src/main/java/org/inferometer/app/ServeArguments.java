package org.inferometer.app;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of {@code serve} as they were written.
 *
 * <p>Picocli reads all command lines but the plain ones of {@code serve}: its classes are of a
 * format that the JVM's start-up cache doesn't take, and loading them is a third of a start. So
 * {@link #plain} reads what can only be read in one way, and leaves the rest, seldom used options,
 * help and mistakes included, to picocli.
 */
record ServeArguments(
    List<String> urls,
    @Nullable Path config,
    String listen,
    List<String> allowedHosts,
    StorageFlags storage,
    QueryLimits queries,
    WebOptions web) {
  static final String LISTEN_DEFAULT = "127.0.0.1:9765";

  ServeArguments {
    urls = List.copyOf(urls);
    allowedHosts = List.copyOf(allowedHosts);
  }

  /**
   * The arguments after {@code serve} if each is a URL or one of our options with its value, or
   * null if there is anything else.
   */
  static @Nullable ServeArguments plain(List<String> words) {
    List<String> urls = new ArrayList<>();
    List<String> allowedHosts = new ArrayList<>();
    Path config = null;
    String listen = null;
    Map<String, String> flags = new HashMap<>();
    Map<String, String> storage = new HashMap<>();
    boolean readOnly = false;
    List<String> features = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (isPlainValue(word)) {
        urls.add(word);
        continue;
      }
      if (word.equals(StorageFlags.READ_ONLY) && !readOnly) {
        readOnly = true;
        continue;
      }
      int equals = word.indexOf('=');
      String value =
          equals < 0 ? (++i < words.size() ? words.get(i) : "") : word.substring(equals + 1);
      boolean again = false;
      String name = equals < 0 ? word : word.substring(0, equals);
      switch (name) {
        case "--config" -> {
          again = config != null;
          config = Path.of(value);
        }
        case "--listen" -> {
          again = listen != null;
          listen = value;
        }
        case "--allow-host" -> allowedHosts.add(value);
        case QueryLimits.FEATURE -> features.add(value);
        default -> {
          if (QueryLimits.FLAGS.contains(name)) {
            again = flags.put(name, value) != null;
          } else if (StorageFlags.isName(name)) {
            again = storage.put(StorageFlags.canonical(name), value) != null;
          } else {
            return null;
          }
        }
      }
      if (again || !isPlainValue(value)) {
        return null;
      }
    }
    return new ServeArguments(
        urls,
        config,
        listen == null ? LISTEN_DEFAULT : listen,
        allowedHosts,
        new StorageFlags(storage, readOnly, true),
        new QueryLimits(flags, features),
        WebOptions.DEFAULT);
  }

  /** No option, and nothing that picocli would take apart: quotes, files of arguments. */
  private static boolean isPlainValue(String word) {
    return !word.isEmpty()
        && !word.startsWith("-")
        && !word.startsWith("@")
        && word.indexOf('"') < 0;
  }
}
