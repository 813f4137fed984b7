package org.inferometer.signals;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the bucket edges of an engine's histograms are changed.
 *
 * @param signals base names of the signals whose edges it changes
 * @param since the first release that has it, null if unknown
 * @param line what to set, with {@code {edges}} for the edges separated by commas and {@code
 *     {edges_spaced}} separated by blanks, in the unit that {@code scale} turns seconds into
 * @param scale the factor from the signal's unit to the option's, 1 if they are the same
 * @param note a sentence, or null
 */
public record BucketOption(
    List<String> signals,
    @Nullable String since,
    String line,
    double scale,
    @Nullable String note) {
  public BucketOption {
    signals = List.copyOf(signals);
  }
}
