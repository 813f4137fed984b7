package org.inferometer.lint;

/**
 * A change of a file.
 *
 * @param start offset in characters of the first that goes
 * @param end offset behind the last that goes; {@code start} if nothing goes
 * @param text what comes instead: letters, digits, colons, brackets, commas and spaces, which no
 *     quoting has to escape
 */
public record Edit(int start, int end, String text) {}
