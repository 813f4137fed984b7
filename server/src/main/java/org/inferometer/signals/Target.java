package org.inferometer.signals;

import java.util.List;
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

  /** The instance without its port. */
  String host() {
    int colon = instance.lastIndexOf(':');
    String host = colon > instance.lastIndexOf(']') ? instance.substring(0, colon) : instance;
    return host.equals("localhost") || host.equals("[::1]") ? "127.0.0.1" : host;
  }
}
