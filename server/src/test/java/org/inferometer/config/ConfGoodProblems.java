package org.inferometer.config;

import java.util.List;

/** What is refused in Prometheus's own example of a good config file. */
final class ConfGoodProblems {
  /** Place and key, one a line; reviewed against the file. */
  private static final String KEYS =
      """
      11:3 query_log_file
      12:3 scrape_failure_log_file
      22:1 rule_files
      26:1 remote_write
      50:1 otlp
      53:1 remote_read
      79:5 scrape_failure_log_file
      80:5 file_sd_configs
      95:5 http_headers
      125:7 min_version
      147:5 dns_sd_configs
      180:5 consul_sd_configs
      207:7 cert_file
      208:7 key_file
      215:5 kubernetes_sd_configs
      228:5 kubernetes_sd_configs
      241:5 kuma_sd_configs
      246:5 marathon_sd_configs
      256:5 nomad_sd_configs
      260:5 ec2_sd_configs
      276:5 lightsail_sd_configs
      283:5 azure_sd_configs
      294:5 nerve_sd_configs
      320:5 http_sd_configs
      324:5 triton_sd_configs
      336:5 digitalocean_sd_configs
      341:5 docker_sd_configs
      345:5 dockerswarm_sd_configs
      350:5 oci_sd_configs
      363:5 openstack_sd_configs
      374:5 puppetdb_sd_configs
      391:5 hetzner_sd_configs
      401:5 eureka_sd_configs
      405:5 ovhcloud_sd_configs
      420:5 scaleway_sd_configs
      431:5 linode_sd_configs
      436:5 stackit_sd_configs
      444:5 uyuni_sd_configs
      450:5 ionos_sd_configs
      456:5 vultr_sd_configs
      461:5 outscale_sd_configs
      466:1 alerting
      478:5 stale_series_compaction_threshold
      482:7 percentage
      484:1 tracing
      """;

  static final List<String> LIST =
      KEYS.lines()
          .map(line -> line.split(" ", 2))
          .map(part -> part[0] + ": found \"" + part[1] + "\", which isn't supported yet")
          .toList();

  private ConfGoodProblems() {}
}
