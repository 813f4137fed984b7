package org.inferometer.diagnosis;

/**
 * A cause that isn't the matter, or about which nothing can be told.
 *
 * @param isUnknown whether it can't be told
 */
public record RuledOut(String cause, String because, boolean isUnknown) {}
