package org.inferometer.remote;

import org.inferometer.io.Snappy;
import org.inferometer.io.SnappyException;

/** The body of a request: a message in a snappy block. */
public final class Block {
  private static final String BROKEN = "the body isn't a snappy block";

  private final byte[] bytes;
  private final int messageLength;

  /**
   * @param bytes not changed from now on
   * @throws RemoteException if it doesn't say how long its message is, or can't be that long
   */
  public Block(byte[] bytes) throws RemoteException {
    this.bytes = bytes;
    try {
      this.messageLength = Snappy.uncompressedLength(bytes);
    } catch (SnappyException e) {
      throw new RemoteException(BROKEN, e);
    }
  }

  /** Bytes of the message, as the block says. */
  public int messageLength() {
    return messageLength;
  }

  byte[] message() throws RemoteException {
    try {
      return Snappy.decompress(bytes);
    } catch (SnappyException e) {
      throw new RemoteException(BROKEN, e);
    }
  }
}
