/** Observability for LLM inference. */
module org.inferometer {
  requires com.fasterxml.jackson.core;
  requires com.fasterxml.jackson.databind;
  requires com.fasterxml.jackson.dataformat.yaml;
  requires re2j;
  requires info.picocli;
  requires io.helidon.common.buffers;
  requires io.helidon.common.concurrency.limits;
  requires io.helidon.http;
  requires io.helidon.http.encoding;
  requires io.helidon.service.registry;
  requires io.helidon.webserver;
  requires java.logging;
  requires java.management;
  requires java.net.http;
  requires static transitive org.jspecify;
  requires org.slf4j;

  opens org.inferometer.app to
      info.picocli;
}
