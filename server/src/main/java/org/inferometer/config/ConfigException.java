package org.inferometer.config;

import java.util.List;
import java.util.stream.Collectors;

/** A config file is refused, for one or more reasons, all of them listed. */
public final class ConfigException extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient List<Problem> problems;

  ConfigException(List<Problem> problems) {
    super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
    this.problems = List.copyOf(problems);
  }

  /** At least one, in the order of the file. */
  public List<Problem> problems() {
    return problems;
  }
}
