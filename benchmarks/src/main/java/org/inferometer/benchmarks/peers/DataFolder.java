package org.inferometer.benchmarks.peers;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A data directory in Prometheus's layout, looked at from outside. */
final class DataFolder {
  private final Path folder;
  private final ObjectMapper json = new ObjectMapper();

  /** Blocks of the same length of time, added up. */
  private static final class Group {
    private int blocks;
    private long samples;
    private long chunks;
    private long bytes;
    private long indexBytes;
    private long chunkBytes;
  }

  DataFolder(Path folder) {
    this.folder = folder;
  }

  /** The end of the last block, {@link Long#MIN_VALUE} if there is none. */
  long blocksEndMs() throws IOException {
    long endMs = Long.MIN_VALUE;
    for (Path block : blocks()) {
      endMs = Math.max(endMs, meta(block).path("maxTime").asLong());
    }
    return endMs;
  }

  /** One row for each length of block. */
  void describeBlocks(String peer, ArrayNode rows) throws IOException {
    Map<Long, Group> groups = new TreeMap<>();
    for (Path block : blocks()) {
      JsonNode meta = meta(block);
      long hours =
          Math.round((meta.path("maxTime").asLong() - meta.path("minTime").asLong()) / 3.6e6);
      Group group = groups.computeIfAbsent(hours, key -> new Group());
      group.blocks++;
      group.samples += meta.path("stats").path("numSamples").asLong();
      group.chunks += meta.path("stats").path("numChunks").asLong();
      group.bytes += WorkFolder.bytes(block);
      group.indexBytes += WorkFolder.bytes(block.resolve("index"));
      group.chunkBytes += WorkFolder.bytes(block.resolve("chunks"));
    }
    groups.forEach((hours, group) -> describe(peer, hours, group, rows));
  }

  private static void describe(String peer, long hours, Group group, ArrayNode rows) {
    ObjectNode row = rows.addObject().put("peer", peer).put("hours", hours);
    row.put("blocks", group.blocks);
    row.put("samples", group.samples);
    row.put("chunks", group.chunks);
    row.put("bytes", group.bytes);
    row.put("indexBytes", group.indexBytes);
    row.put("chunkBytes", group.chunkBytes);
    row.put("bytesPerSample", (double) group.bytes / group.samples);
  }

  private List<Path> blocks() throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(folder)) {
      return all.filter(
              path ->
                  path.getFileName().toString().length() == 26
                      && Files.exists(path.resolve("meta.json")))
          .toList();
    }
  }

  private JsonNode meta(Path block) throws IOException {
    return json.readTree(block.resolve("meta.json").toFile());
  }

  /** The bytes of the logs and of what is mapped of the head. */
  long logBytes() throws IOException {
    return WorkFolder.bytes(folder.resolve("wal")) + WorkFolder.bytes(folder.resolve("wbl"));
  }

  long headChunkBytes() throws IOException {
    return WorkFolder.bytes(folder.resolve("chunks_head"))
        + WorkFolder.bytes(folder.resolve("head_chunks"));
  }

  long bytes() throws IOException {
    return WorkFolder.bytes(folder);
  }
}
