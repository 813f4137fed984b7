package org.inferometer.api;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Files below one folder of the class path, read and compressed once, when they are first asked
 * for. Thread-safe.
 */
final class StaticFiles {
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "mjs", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "json", "application/json",
          "map", "application/json",
          "svg", "image/svg+xml",
          "png", "image/png",
          "woff2", "font/woff2");

  /** One file as it is sent; {@code gzip} is null if compressing gains nothing. */
  record StaticFile(String contentType, String etag, byte[] plain, byte @Nullable [] gzip) {}

  private final String folder;

  /** Only files that exist are kept, so it is bounded. */
  private final Map<String, StaticFile> files = new ConcurrentHashMap<>();

  /**
   * @param folder on the class path, with a slash at its end
   */
  StaticFiles(String folder) {
    this.folder = folder;
  }

  /** The file at a path below the folder, or null if there is none or it is of an unknown type. */
  @Nullable StaticFile find(String path) {
    StaticFile known = files.get(path);
    if (known != null) {
      return known;
    }
    String type = TYPES.get(path.substring(path.lastIndexOf('.') + 1));
    byte[] bytes = type == null ? null : read(folder + path);
    if (type == null || bytes == null) {
      return null;
    }
    byte[] gzip = compressed(bytes);
    StaticFile file =
        new StaticFile(type, etag(bytes), bytes, gzip.length < bytes.length ? gzip : null);
    files.put(path, file);
    return file;
  }

  private static byte @Nullable [] read(String resource) {
    try (InputStream in = StaticFiles.class.getClassLoader().getResourceAsStream(resource)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] compressed(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length / 3);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private static String etag(byte[] bytes) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return '"' + HexFormat.of().formatHex(Arrays.copyOf(digest, 8)) + '"';
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
