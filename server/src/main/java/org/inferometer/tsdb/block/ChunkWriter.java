package org.inferometer.tsdb.block;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import org.inferometer.io.Disk;
import org.inferometer.tsdb.chunk.Chunk;
import org.jspecify.annotations.Nullable;

/** Writes the files of a block's chunks: see {@link ChunkFormat}. Not thread-safe. */
final class ChunkWriter implements Closeable {
  /** Length, encoding and sum at their longest. */
  private static final int AROUND_BYTES_MAX = 10 + 1 + 4;

  private final Disk disk;
  private final Path folder;
  private final long fileBytesMax;
  private @Nullable FileOutput out;
  private int files;

  ChunkWriter(Disk disk, Path folder, long fileBytesMax) {
    this.disk = disk;
    this.folder = folder;
    this.fileBytesMax = fileBytesMax;
  }

  /** Writes a chunk and returns the reference to it. */
  long write(Chunk chunk) throws IOException {
    byte[] data = chunk.toBytes();
    FileOutput file = fileFor(data.length + AROUND_BYTES_MAX);
    long reference = ChunkFormat.reference(files - 1, file.position());
    file.uvarint(data.length);
    file.beginSum();
    file.u8(chunk.encoding().number());
    file.bytes(data, data.length);
    file.sum();
    return reference;
  }

  private FileOutput fileFor(int bytes) throws IOException {
    FileOutput file = out;
    if (file != null && file.position() + bytes <= fileBytesMax) {
      return file;
    }
    finishFile();
    file = new FileOutput(disk, folder.resolve(ChunkFormat.fileName(files)));
    files++;
    out = file;
    file.u32(ChunkFormat.MAGIC);
    file.u8(ChunkFormat.VERSION);
    file.align(ChunkFormat.HEAD_BYTES);
    return file;
  }

  private void finishFile() throws IOException {
    FileOutput file = out;
    if (file != null) {
      file.finish();
      file.close();
      out = null;
    }
  }

  /** Makes all of it last. */
  void finish() throws IOException {
    finishFile();
    disk.syncFolder(folder);
  }

  @Override
  public void close() throws IOException {
    FileOutput file = out;
    out = null;
    if (file != null) {
      file.close();
    }
  }
}
