package org.inferometer.benchmarks.exposition;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.inferometer.exposition.Format;
import org.inferometer.io.ProtoWriter;

/** A page like that of a vLLM server: mostly buckets of histograms, sums with many digits. */
final class ServingPage {
  private static final double[] BOUNDS = {
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
  };

  private static final String[] HISTOGRAMS = {
    "time_to_first_token_seconds",
    "time_per_output_token_seconds",
    "e2e_request_latency_seconds",
    "request_queue_time_seconds",
    "request_prefill_time_seconds",
    "request_decode_time_seconds",
    "request_prompt_tokens",
    "request_generation_tokens"
  };

  private static final String[] GAUGES = {
    "num_requests_running", "num_requests_waiting", "kv_cache_usage_perc", "lora_requests_info"
  };

  private final StringBuilder page = new StringBuilder();
  private final Random random = new Random(1);
  private int samples;

  private final byte[] bytes;

  ServingPage(Format format, int engines) {
    bytes = format == Format.PROTOBUF ? protobuf(engines) : text(format, engines);
  }

  private byte[] text(Format format, int engines) {
    for (String name : HISTOGRAMS) {
      histogram("vllm:" + name, engines);
    }
    for (String name : GAUGES) {
      header("vllm:" + name, "gauge");
      for (int engine = 0; engine < engines; engine++) {
        line("vllm:" + name, engine, "", Double.toString(random.nextInt(100)));
      }
    }
    if (format == Format.OPENMETRICS) {
      page.append("# EOF\n");
    }
    return page.toString().getBytes(StandardCharsets.UTF_8);
  }

  private byte[] protobuf(int engines) {
    ProtoWriter families = new ProtoWriter(1 << 16);
    for (String name : HISTOGRAMS) {
      families.delimited(
          family -> {
            header(family, "vllm:" + name, 4);
            for (int engine = 0; engine < engines; engine++) {
              int number = engine;
              family.message(4, metric -> labels(metric, number).message(7, this::histogram));
            }
          });
    }
    for (String name : GAUGES) {
      families.delimited(
          family -> {
            header(family, "vllm:" + name, 1);
            for (int engine = 0; engine < engines; engine++) {
              int number = engine;
              double value = random.nextInt(100);
              samples++;
              family.message(
                  4, metric -> labels(metric, number).message(2, g -> g.float64(1, value)));
            }
          });
    }
    return families.toByteArray();
  }

  private static void header(ProtoWriter family, String name, int type) {
    family.string(1, name).string(2, "What it measures, in a sentence or so.").varint(3, type);
  }

  private static ProtoWriter labels(ProtoWriter metric, int engine) {
    return metric
        .message(1, pair -> pair.string(1, "engine").string(2, Integer.toString(engine)))
        .message(
            1, pair -> pair.string(1, "model_name").string(2, "meta-llama/Llama-3.1-8B-Instruct"));
  }

  private void histogram(ProtoWriter histogram) {
    long count = 0;
    for (double bound : BOUNDS) {
      count += random.nextInt(1000);
      bucket(histogram, bound, count);
    }
    bucket(histogram, Double.POSITIVE_INFINITY, count);
    histogram.varint(1, count).float64(2, random.nextDouble() * count);
    samples += BOUNDS.length + 3;
  }

  private static void bucket(ProtoWriter histogram, double bound, long count) {
    histogram.message(3, bucket -> bucket.varint(1, count).float64(2, bound));
  }

  byte[] bytes() {
    return bytes;
  }

  int samples() {
    return samples;
  }

  private void header(String name, String type) {
    page.append("# HELP ").append(name).append(" What it measures, in a sentence or so.\n");
    page.append("# TYPE ").append(name).append(' ').append(type).append('\n');
  }

  private void histogram(String name, int engines) {
    header(name, "histogram");
    for (int engine = 0; engine < engines; engine++) {
      long count = 0;
      for (double bound : BOUNDS) {
        count += random.nextInt(1000);
        line(name + "_bucket", engine, ",le=\"" + bound + "\"", count + ".0");
      }
      line(name + "_bucket", engine, ",le=\"+Inf\"", count + ".0");
      line(name + "_count", engine, "", count + ".0");
      line(name + "_sum", engine, "", Double.toString(random.nextDouble() * count));
    }
  }

  private void line(String name, int engine, String more, String value) {
    page.append(name).append("{engine=\"").append(engine);
    page.append("\",model_name=\"meta-llama/Llama-3.1-8B-Instruct\"").append(more);
    page.append("} ").append(value).append('\n');
    samples++;
  }
}
