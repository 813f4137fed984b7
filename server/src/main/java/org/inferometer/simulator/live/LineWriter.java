package org.inferometer.simulator.live;

import java.io.IOException;
import java.io.Writer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Writes lines on a thread of its own, so that nobody who has one to write waits for a disk or a
 * terminal. Lines for which there is no room are dropped, and that is told. Thread-safe.
 */
public final class LineWriter implements Consumer<String>, AutoCloseable {
  private static final int WAITING_MAX = 10_000;
  private static final long IDLE_MS = 200;
  private static final long CLOSE_MS_MAX = 5000;

  private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(WAITING_MAX);
  private final Writer out;
  private final Consumer<String> say;
  private final Thread thread;
  private volatile boolean closed;
  private volatile boolean dropping;

  /**
   * @param out is closed with this
   * @param say is told, once, that lines are dropped, and if writing fails
   */
  public LineWriter(Writer out, Consumer<String> say) {
    this.out = out;
    this.say = say;
    this.thread = Thread.ofPlatform().daemon().name("log-lines").start(this::write);
  }

  @Override
  public void accept(String line) {
    if (!closed && !waiting.offer(line) && !dropping) {
      dropping = true;
      say.accept("lines of a log are dropped: they come faster than they can be written");
    }
  }

  private void write() {
    try (out) {
      while (!closed || !waiting.isEmpty()) {
        String line = waiting.poll(IDLE_MS, TimeUnit.MILLISECONDS);
        if (line != null) {
          out.write(line);
          out.write('\n');
        }
        if (waiting.isEmpty()) {
          out.flush();
        }
      }
    } catch (IOException e) {
      closed = true;
      say.accept("a log can't be written: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What waits is written, unless that takes long. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(CLOSE_MS_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
