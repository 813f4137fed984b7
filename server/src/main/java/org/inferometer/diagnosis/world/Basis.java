package org.inferometer.diagnosis.world;

import org.jspecify.annotations.Nullable;

/**
 * The stretches of time that a service's readings are of, and why these.
 *
 * @param judged what values are of: the window, or the part of it since the last change of what
 *     users feel
 * @param baseline what values are compared with, null if there is nothing
 * @param kind how the baseline was chosen
 * @param because a sentence
 * @param onsetMs when what users feel became worse and stayed so, null if it didn't
 */
public record Basis(
    Period judged, @Nullable Period baseline, Kind kind, String because, @Nullable Long onsetMs) {
  /** How a baseline was chosen. */
  public enum Kind {
    /** The user named it. */
    GIVEN,
    /** The stretch before what users feel became worse. */
    BEFORE_ONSET,
    /** The last stretch before a trouble that is over. */
    BEFORE_TROUBLE,
    /** The same time a day ago. */
    YESTERDAY,
    /** The stretch before the window. */
    WINDOW_BEFORE,
    /** There is nothing to compare with. */
    NONE
  }

  /** A whole window, and a baseline that was chosen elsewhere. */
  public static Basis of(Period window, @Nullable Period baseline) {
    return new Basis(
        window,
        baseline,
        baseline == null ? Kind.NONE : Kind.GIVEN,
        baseline == null ? "There is nothing to compare with." : "It was asked for.",
        null);
  }
}
