package org.inferometer.tsdb.block;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.inferometer.io.Disk;
import org.inferometer.model.Labels;
import org.inferometer.tsdb.chunk.Chunk;

/** Blocks that a {@link BlockWriter} wouldn't write, as there are of others. */
final class ForeignBlock {
  private ForeignBlock() {}

  /** One series with chunks as they come. */
  static BlockMeta write(Disk disk, Path parent, long seed, Labels labels, List<Chunk> chunks)
      throws IOException {
    Ulid ulid = Ulid.of(seed, new Random(seed));
    Path folder = parent.resolve(ulid.toString());
    Path chunkFolder = folder.resolve(ChunkFormat.FOLDER);
    disk.createFolders(chunkFolder);
    try (ChunkWriter out = new ChunkWriter(disk, chunkFolder, 1 << 20);
        IndexWriter index = new IndexWriter(disk, folder)) {
      ByteOutput places = new ByteOutput();
      places.uvarint(chunks.size());
      long lastMs = 0;
      long lastReference = 0;
      for (int i = 0; i < chunks.size(); i++) {
        Chunk chunk = chunks.get(i);
        long reference = out.write(chunk);
        if (i == 0) {
          places.varint(chunk.minMs());
        } else {
          places.uvarint(chunk.minMs() - lastMs);
        }
        places.uvarint(chunk.maxMs() - chunk.minMs());
        if (i == 0) {
          places.uvarint(reference);
        } else {
          places.varint(reference - lastReference);
        }
        lastMs = chunk.maxMs();
        lastReference = reference;
      }
      index.add(labels, places);
      out.finish();
      index.finish();
    }
    BlockMeta meta = BlockWriter.ofHead(ulid, ModelBlock.START_MS, ModelBlock.END_MS, List.of());
    meta.write(disk, folder);
    return meta;
  }
}
