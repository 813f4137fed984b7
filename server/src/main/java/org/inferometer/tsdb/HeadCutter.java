package org.inferometer.tsdb;

import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.inferometer.tsdb.block.BlockMeta;

/**
 * Makes blocks of the older part of the head. One thread at a time.
 *
 * <pre>
 *   head  [==A==][==B==]        a block of A is written
 *   head  [==A==][==B==]        and listed: whoever opens a querier now sees A twice, reads it once
 *   block [==A==]
 *   head         [==B==]        queriers from before are closed: A leaves the head
 *   block [==A==]
 * </pre>
 */
final class HeadCutter {
  /** Queriers are open for moments. One that isn't puts the cut off till the next time. */
  private static final long READERS_WAIT_MS = 2_000;

  private final StoreParts parts;
  private final Compactor compactor;
  private final AtomicLong cutCount = new AtomicLong();

  /** Cuts that are in blocks but still in the head, since older queriers read them there. */
  private final Set<BlockCut> written = new HashSet<>();

  private long stage;
  private long headStartMs;

  /**
   * @param headStartMs where the blocks that are there end
   */
  HeadCutter(StoreParts parts, Compactor compactor, long headStartMs) {
    this.parts = parts;
    this.compactor = compactor;
    this.headStartMs = headStartMs;
  }

  /** Blocks that were cut since the start. */
  long cutCount() {
    return cutCount.get();
  }

  void run(long nowMs) throws IOException {
    try {
      for (BlockCut cut : parts.head().cuts(nowMs)) {
        if (!written.contains(cut)) {
          write(cut);
        }
      }
    } finally {
      if (!written.isEmpty() && !parts.readers().hasOlderThan(stage)) {
        cutHead();
      }
    }
  }

  private void cutHead() throws IOException {
    if (parts.head().cutTo(headStartMs, READERS_WAIT_MS)) {
      written.clear();
    }
  }

  private void write(BlockCut cut) throws IOException {
    parts.requireRoom(0);
    parts.head().give(cut);
    boolean isListed = false;
    try {
      writeBlock(cut);
      isListed = true;
    } finally {
      if (!isListed) {
        parts.head().takeBack(cut);
      }
    }
    stage = parts.readers().begin();
    written.add(cut);
    if (!cut.isLate()) {
      headStartMs = Math.max(headStartMs, cut.maxMs());
    }
  }

  private void writeBlock(BlockCut cut) throws IOException {
    List<String> hints = cut.isLate() ? List.of(BlockMeta.FROM_OUT_OF_ORDER) : List.of();
    BlockMeta meta =
        compactor.writeHead(parts.folder().path(), cut.minMs(), cut.maxMs(), hints, parts.head());
    if (meta != null) {
      parts.publish(meta);
      cutCount.incrementAndGet();
    }
  }
}
