package org.inferometer.app;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;

/** A print stream that tells failures at once. */
final class CheckedStream extends OutputStream {
  private final PrintStream out;

  CheckedStream(PrintStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    out.write(bytes, offset, count);
    if (out.checkError()) {
      throw new IOException("standard output was closed, or can't be written to");
    }
  }
}
