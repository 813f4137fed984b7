package org.inferometer.io;

import java.util.EnumSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A plan for operations of a {@link SimulatedDisk} to fail: which kinds, on which paths, how many
 * pass before, how many fail then, and how many bytes a failing write leaves. Counts as it is used.
 */
public final class DiskFault {
  public static final String FULL = "No space left on device";
  public static final String BROKEN = "Input/output error";

  private final Set<SimulatedDisk.Kind> kinds;
  private Pattern paths = Pattern.compile("");
  private String message = FULL;
  private long passing;
  private long failing = 1;
  private int bytesBefore;
  private long hits;

  private DiskFault(Set<SimulatedDisk.Kind> kinds) {
    this.kinds = kinds;
  }

  /** Fails the first operation of one of these kinds, unless told otherwise below. */
  public static DiskFault of(SimulatedDisk.Kind first, SimulatedDisk.Kind... others) {
    return new DiskFault(EnumSet.of(first, others));
  }

  /** Fails operations that change anything. */
  public static DiskFault ofChanges() {
    EnumSet<SimulatedDisk.Kind> kinds = EnumSet.allOf(SimulatedDisk.Kind.class);
    kinds.removeIf(kind -> !kind.changes());
    return new DiskFault(kinds);
  }

  /** Only on paths in which a regular expression is found. */
  public DiskFault on(String pathPart) {
    paths = Pattern.compile(pathPart);
    return this;
  }

  /** Lets this many pass first. */
  public DiskFault after(long operations) {
    passing = operations;
    return this;
  }

  public DiskFault times(long operations) {
    failing = operations;
    return this;
  }

  /** Until {@link SimulatedDisk#heal}. */
  public DiskFault forGood() {
    return times(Long.MAX_VALUE);
  }

  /** A failing write writes this many bytes first, or all but one of them if it has fewer. */
  public DiskFault leaving(int bytes) {
    bytesBefore = bytes;
    return this;
  }

  public DiskFault saying(String text) {
    message = text;
    return this;
  }

  /** How often it made an operation fail. */
  public long failures() {
    return Math.clamp(hits - passing, 0, failing);
  }

  @Override
  public String toString() {
    return "%s on \"%s\" after %d: %s".formatted(kinds, paths, passing, message);
  }

  boolean strikes(SimulatedDisk.Operation operation) {
    if (!kinds.contains(operation.kind()) || !paths.matcher(operation.path().toString()).find()) {
      return false;
    }
    hits++;
    return hits > passing && hits - passing <= failing;
  }

  /** What a failing operation says. */
  public String message() {
    return message;
  }

  int bytesBefore() {
    return bytesBefore;
  }
}
