package org.inferometer.scrape;

/** Why a scrape failed, as counted. */
public enum FailureReason {
  ADDRESS,
  CONNECT,
  TLS,
  TIMEOUT,
  CREDENTIALS,
  PROTOCOL,
  REDIRECT,
  STATUS,
  CONTENT_TYPE,
  ENCODING,
  TRUNCATED,
  BODY_SIZE_LIMIT,
  MEMORY,
  NOT_METRICS,
  PARSE,
  SAMPLE_LIMIT,
  LABEL_LIMIT,
  INVALID_LABELS,
  TARGET_LIMIT,
  INTERNAL
}
