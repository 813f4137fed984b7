package org.inferometer.signals;

import com.google.re2j.Pattern;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.inferometer.model.Labels;
import org.inferometer.model.Matcher;

/** A scraped endpoint, as its series name it. */
record Target(String job, String instance) {
  /** The labels that name a target. */
  static final List<String> LABELS = List.of("job", "instance");

  static Target of(Labels labels) {
    return new Target(labels.get("job"), labels.get("instance"));
  }

  List<Matcher> matchers() {
    return List.of(Matcher.equal("job", job), Matcher.equal("instance", instance));
  }

  /** Matchers that these targets pass, and none beside them but combinations of their labels. */
  static List<Matcher> matchers(Collection<Target> targets) {
    return List.of(
        matcher("job", targets.stream().map(Target::job).toList()),
        matcher("instance", targets.stream().map(Target::instance).toList()));
  }

  private static Matcher matcher(String label, List<String> values) {
    Set<String> distinct = new TreeSet<>(values);
    if (distinct.size() == 1) {
      return Matcher.equal(label, distinct.iterator().next());
    }
    List<String> quoted = distinct.stream().map(Pattern::quote).toList();
    return new Matcher(Matcher.Type.REGEX, label, String.join("|", quoted));
  }

  /** The instance without its port. */
  String host() {
    int colon = instance.lastIndexOf(':');
    String host = colon > instance.lastIndexOf(']') ? instance.substring(0, colon) : instance;
    return host.equals("localhost") || host.equals("[::1]") ? "127.0.0.1" : host;
  }
}
