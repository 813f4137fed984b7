package org.inferometer.app;

import java.util.List;
import org.inferometer.api.TsdbAdminRoutes;
import org.inferometer.model.Matcher;

/** Changes to a store that are asked for by request. */
record StoreAdmin(LateStore store) implements TsdbAdminRoutes.Admin {
  @Override
  public void delete(List<Matcher> matchers, long minMs, long maxMs) {
    store.get().delete(matchers, minMs, maxMs);
  }

  @Override
  public void cleanTombstones() {
    store.get().cleanTombstones();
  }

  @Override
  public String snapshot(boolean withoutHead) {
    return String.valueOf(store.get().snapshot(withoutHead).getFileName());
  }
}
