package org.inferometer.tsdb.chunk;

import java.util.List;
import org.inferometer.model.Labels;

/**
 * A series with chunks, as blocks are written from.
 *
 * @param chunks by the time of their first sample; of a block they may overlap if it was written by
 *     others
 */
public record SeriesChunks(Labels labels, List<? extends StoredChunk> chunks) {}
