package org.inferometer.remote;

import org.inferometer.io.ProtoException;
import org.inferometer.io.ProtoReader;
import org.inferometer.store.SampleSink;

/**
 * Takes remote writes: what can be taken is, whatever else is in the same request. Metadata and
 * start timestamps are passed over. Thread-safe.
 */
public final class WriteReceiver {
  private final SampleSink samples;

  public WriteReceiver(SampleSink samples) {
    this.samples = samples;
  }

  /**
   * @throws RemoteException if it isn't such a message; nothing is taken then
   * @throws org.inferometer.store.StoreException if it couldn't be stored; nothing is taken then
   */
  public WriteResult write(WriteProtocol protocol, Block request) throws RemoteException {
    ProtoReader message = new ProtoReader(request.message());
    WriteBatch batch = new WriteBatch(samples.appender());
    boolean isRead = false;
    try {
      switch (protocol) {
        case V1 -> WriteRequestV1.read(message, batch);
        case V2 -> WriteRequestV2.read(message, batch);
      }
      isRead = true;
    } catch (ProtoException e) {
      throw new RemoteException("the body isn't a message " + protocol.message(), e);
    } finally {
      if (!isRead) {
        batch.rollback();
      }
    }
    return batch.commit();
  }
}
