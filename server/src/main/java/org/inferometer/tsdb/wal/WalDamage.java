package org.inferometer.tsdb.wal;

import java.nio.file.Path;

/**
 * The place from which on a log can't be read.
 *
 * @param offset in the file, of the first record that isn't whole
 * @param lostBytes from there on, in this file and those after it
 * @param isTail whether nothing but an unfinished last write is lost: the process was killed there
 * @param says what was expected and found
 */
public record WalDamage(Path file, long offset, long lostBytes, boolean isTail, String says) {}
