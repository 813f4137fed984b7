package org.inferometer.tsdb;

import java.nio.file.Path;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.wal.WalOptions;

/**
 * Where a durable head keeps what it must not lose: {@code wal} for samples in order and all else,
 * {@code wbl} for samples out of order, as Prometheus has them; and where it maps full chunks from.
 *
 * @param folder the data directory
 * @param isReadOnly whether nothing may be written below the folder; full chunks then stay on the
 *     heap or go to a temporary folder
 */
record HeadFiles(Disk disk, Path folder, boolean isReadOnly, WalOptions wal) {}
