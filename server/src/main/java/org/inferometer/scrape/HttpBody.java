package org.inferometer.scrape;

import java.io.IOException;
import java.io.InputStream;

/** The body of a response as a stream that ends where the body ends. */
abstract class HttpBody extends InputStream {
  /** The connection ended before the body did. */
  static final class Truncated extends IOException {
    private static final long serialVersionUID = 1L;

    Truncated(String message) {
      super(message);
    }
  }

  final HttpInput in;

  private HttpBody(HttpInput in) {
    this.in = in;
  }

  static HttpBody of(HttpHead head, HttpInput in) throws IOException {
    if (head.isChunked()) {
      return new Chunked(in);
    }
    long length = head.contentLength();
    return length < 0 ? new UntilClose(in) : new Fixed(in, length);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public abstract int read(byte[] into, int offset, int count) throws IOException;

  /** Whether it was read to its end, so that another response may follow. */
  abstract boolean isAtEnd();

  private static final class Fixed extends HttpBody {
    private final long length;
    private long left;

    Fixed(HttpInput in, long length) {
      super(in);
      this.length = length;
      this.left = length;
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      if (left == 0) {
        return -1;
      }
      int n = in.read(into, offset, (int) Math.min(count, left));
      if (n < 0) {
        throw new Truncated((length - left) + " of " + length + " bytes");
      }
      left -= n;
      return n;
    }

    @Override
    boolean isAtEnd() {
      return left == 0;
    }
  }

  private static final class Chunked extends HttpBody {
    private static final int LINE_MAX = 1024;
    private long left;
    private boolean first = true;
    private boolean ended;
    private long count;

    Chunked(HttpInput in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      if (left == 0 && !ended) {
        nextChunk();
      }
      if (ended) {
        return -1;
      }
      int n = in.read(into, offset, (int) Math.min(most, left));
      if (n < 0) {
        throw new Truncated(count + " bytes and then the middle of a chunk");
      }
      left -= n;
      count += n;
      return n;
    }

    private void nextChunk() throws IOException {
      if (!first && !in.line(LINE_MAX).isEmpty()) {
        throw new HttpHead.Malformed("a chunk that is longer than it says");
      }
      first = false;
      if (in.peek() < 0) {
        throw new Truncated(count + " bytes without the last chunk");
      }
      String line = in.line(LINE_MAX);
      int end = line.indexOf(';');
      String size = (end < 0 ? line : line.substring(0, end)).strip();
      if (!size.matches("[0-9A-Fa-f]{1,15}")) {
        throw new HttpHead.Malformed("a chunk without its size");
      }
      left = Long.parseLong(size, 16);
      if (left == 0) {
        skipTrailers();
        ended = true;
      }
    }

    private void skipTrailers() throws IOException {
      int lines = 0;
      while (!in.line(LINE_MAX).isEmpty()) {
        if (++lines > 64) {
          throw new HttpHead.Malformed("more than 64 trailers");
        }
      }
    }

    @Override
    boolean isAtEnd() {
      return ended;
    }
  }

  private static final class UntilClose extends HttpBody {
    UntilClose(HttpInput in) {
      super(in);
    }

    @Override
    public int read(byte[] into, int offset, int count) throws IOException {
      return in.read(into, offset, count);
    }

    @Override
    boolean isAtEnd() {
      return false;
    }
  }
}
