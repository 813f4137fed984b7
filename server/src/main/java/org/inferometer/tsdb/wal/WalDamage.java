package org.inferometer.tsdb.wal;

import java.nio.file.Path;

/**
 * The place from which on a log can't be read.
 *
 * @param offset in the file, of the first record that isn't whole
 * @param lostBytes from there on, in this file and those after it
 * @param isTail whether nothing but an unfinished last write is lost: the process was killed there
 * @param isForeign whether another program wrote it in a way that isn't understood here: no damage
 *     at all, so nothing should be repaired
 * @param says what was expected and found
 */
public record WalDamage(
    Path file, long offset, long lostBytes, boolean isTail, boolean isForeign, String says) {}
