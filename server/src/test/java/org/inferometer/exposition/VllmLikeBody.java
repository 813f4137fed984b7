package org.inferometer.exposition;

import java.util.Random;

/** A page like that of a vLLM server, made from a seed: the same series each time, other values. */
final class VllmLikeBody {
  private static final double[] BOUNDS = {
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
  };

  private VllmLikeBody() {}

  static byte[] of(Format format, int engines, long seed) {
    Random random = new Random(seed);
    StringBuilder page = new StringBuilder();
    for (String name : new String[] {"time_to_first_token", "e2e_request_latency", "queue_time"}) {
      histograms(page, "vllm:" + name + "_seconds", engines, random);
    }
    for (String name : new String[] {"num_requests_running", "kv_cache_usage_perc"}) {
      page.append("# HELP vllm:").append(name).append(" A gauge.\n");
      page.append("# TYPE vllm:").append(name).append(" gauge\n");
      for (int engine = 0; engine < engines; engine++) {
        line(page, "vllm:" + name, engine, "", Double.toString(random.nextDouble()));
      }
    }
    if (format == Format.OPENMETRICS) {
      page.append("# EOF\n");
    }
    byte[] text = Bodies.bytes(page.toString());
    return format == Format.PROTOBUF ? ProtobufPage.ofText(Format.TEXT, text) : text;
  }

  private static void histograms(StringBuilder page, String name, int engines, Random random) {
    page.append("# HELP ").append(name).append(" Histogram of something in seconds.\n");
    page.append("# TYPE ").append(name).append(" histogram\n");
    for (int engine = 0; engine < engines; engine++) {
      long count = 0;
      for (double bound : BOUNDS) {
        count += random.nextInt(1000);
        line(page, name + "_bucket", engine, ",le=\"" + bound + "\"", count + ".0");
      }
      line(page, name + "_bucket", engine, ",le=\"+Inf\"", count + ".0");
      line(page, name + "_count", engine, "", count + ".0");
      line(page, name + "_sum", engine, "", Double.toString(random.nextDouble() * count));
    }
  }

  private static void line(StringBuilder page, String name, int engine, String more, String value) {
    page.append(name).append("{engine=\"").append(engine);
    page.append("\",model_name=\"meta-llama/Llama-3.1-8B-Instruct\"").append(more);
    page.append("} ").append(value).append('\n');
  }
}
