package org.inferometer.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.model.Matcher;
import org.inferometer.store.StoreException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TsdbAdminRoutesTest {
  private static final String PREFIX = "/api/v1/admin/tsdb/";

  private final List<String> asked = new ArrayList<>();
  private final TestServer server =
      new TestServer(new TsdbAdminRoutes(new FakeAdmin(), SelectorReader.promql()));

  private final class FakeAdmin implements TsdbAdminRoutes.Admin {
    @Override
    public void delete(List<Matcher> matchers, long minMs, long maxMs) {
      asked.add(matchers + " " + minMs + " " + maxMs);
    }

    @Override
    public void cleanTombstones() {
      throw new StoreException("no room in /data");
    }

    @Override
    public String snapshot(boolean withoutHead) {
      return withoutHead ? "blocks" : "all";
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void delete_takesSelectorsAndTimes() throws Exception {
    HttpResponse<String> done =
        server.post(PREFIX + "delete_series", "match[]=up&match[]={a=\"b\"}&start=1&end=2.5");
    assertThat(done.statusCode()).as(done.body()).isEqualTo(204);
    assertThat(asked).containsExactly("[__name__=\"up\"] 1000 2500", "[a=\"b\"] 1000 2500");
    assertThat(server.send("PUT", PREFIX + "delete_series?match%5B%5D=up").statusCode())
        .isEqualTo(204);
    assertThat(asked.getLast())
        .isEqualTo(
            "[__name__=\"up\"] "
                + -RequestValues.TIME_BOUND_MS
                + " "
                + RequestValues.TIME_BOUND_MS);
  }

  @Test
  void delete_withoutSelectorOrWithAWrongOne_isRefused() throws Exception {
    assertThat(server.post(PREFIX + "delete_series", "start=1").body())
        .contains("\"errorType\":\"bad_data\"", "no match[] parameter provided");
    assertThat(server.post(PREFIX + "delete_series", "match[]=up{").statusCode()).isEqualTo(400);
    assertThat(server.post(PREFIX + "delete_series", "match[]=up&start=2&end=1").statusCode())
        .isEqualTo(400);
    assertThat(asked).isEmpty();
  }

  @Test
  void snapshot_tellsItsName() throws Exception {
    assertThat(server.post(PREFIX + "snapshot", "").body())
        .isEqualTo("{\"status\":\"success\",\"data\":{\"name\":\"all\"}}");
    assertThat(server.post(PREFIX + "snapshot?skip_head=true", "").body()).contains("blocks");
    assertThat(server.post(PREFIX + "snapshot?skip_head=perhaps", "").statusCode()).isEqualTo(400);
  }

  @Test
  void failure_isTold() throws Exception {
    HttpResponse<String> failed = server.post(PREFIX + "clean_tombstones", "");
    assertThat(failed.statusCode()).isEqualTo(500);
    assertThat(failed.body()).contains("\"error\":\"no room in /data\"");
  }

  @Test
  void withoutPermission_nothingIsDone() throws Exception {
    try (TestServer closed = new TestServer(new TsdbAdminRoutes(null, SelectorReader.promql()))) {
      for (String route : List.of("delete_series?match[]=up", "clean_tombstones", "snapshot")) {
        HttpResponse<String> refused = closed.post(PREFIX + route.replace("[]", "%5B%5D"), "");
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(refused.body()).contains("unavailable", "admin APIs disabled");
      }
    }
  }
}
