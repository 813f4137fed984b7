package org.inferometer.exposition;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import java.util.function.Consumer;
import org.inferometer.io.ProtoWriter;

/**
 * A target for Jazzer: protobuf whose lengths are right and whose fields are mostly those that
 * there are, so that it gets deep.
 */
public final class ProtobufFuzz {
  private static final int DEPTH_MAX = 4;

  private ProtobufFuzz() {}

  public static void fuzzerTestOneInput(FuzzedDataProvider data) {
    ProtoWriter page = new ProtoWriter();
    while (data.remainingBytes() > 0 && page.size() < 1 << 16) {
      if (data.consumeInt(0, 15) == 0) {
        page.varint(1 + data.consumeInt(0, 7), data.consumeLong());
      } else {
        page.delimited(family(data));
      }
    }
    ProtobufProperties.check(page.toByteArray());
  }

  private static Consumer<ProtoWriter> family(FuzzedDataProvider data) {
    return family -> {
      family.string(1, data.consumeAsciiString(8)).varint(3, data.consumeInt(0, 6));
      for (int i = data.consumeInt(0, 4); i > 0; i--) {
        family.message(4, fields(data, 1));
      }
    };
  }

  private static Consumer<ProtoWriter> fields(FuzzedDataProvider data, int depth) {
    return message -> {
      for (int i = data.consumeInt(0, 8); i > 0; i--) {
        field(message, data, depth);
      }
    };
  }

  private static void field(ProtoWriter message, FuzzedDataProvider data, int depth) {
    int field = data.consumeInt(1, 16);
    switch (data.consumeInt(0, 6)) {
      case 0 -> message.varint(field, data.consumeLong());
      case 1 -> message.zigzag(field, data.consumeInt(-8, 8));
      case 2 -> message.float64(field, data.consumeDouble());
      case 3 -> message.string(field, data.consumeString(8));
      case 4 -> message.zigzags(field, data.consumeLongs(6));
      case 5 -> message.float64s(field, data.consumeRegularDouble(), 1);
      default -> {
        if (depth < DEPTH_MAX) {
          message.message(field, fields(data, depth + 1));
        }
      }
    }
  }
}
