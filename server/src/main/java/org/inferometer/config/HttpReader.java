package org.inferometer.config;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads the keys that say how to speak to a server. Files are relative to a folder. */
final class HttpReader {
  private static final List<String> UNSUPPORTED =
      List.of("oauth2", "http_headers", "proxy_url", "no_proxy", "proxy_connect_header");

  private final Path folder;

  HttpReader(Path folder) {
    this.folder = folder;
  }

  HttpAuth auth(Section section) {
    section.unsupported(UNSUPPORTED);
    section.unsupportedIfOn("proxy_from_environment");
    List<String> ways =
        List.of("basic_auth", "authorization", "bearer_token", "bearer_token_file").stream()
            .filter(section::has)
            .toList();
    if (ways.size() > 1) {
      section.problem(
          ways.get(1), "found " + String.join(" and ", ways) + ", expected one of them");
    }
    Optional<HttpAuth> basic = basic(section.has("basic_auth"), section.section("basic_auth"));
    Optional<HttpAuth> token =
        token(section.has("authorization"), section.section("authorization"));
    Optional<HttpAuth> bearer =
        secret(section, "bearer_token").map(secret -> new HttpAuth.Token("Bearer", secret));
    return basic.or(() -> token).or(() -> bearer).orElse(HttpAuth.NONE);
  }

  private Optional<HttpAuth> basic(boolean present, Section section) {
    Optional<Secret> user = secret(section, "username");
    Optional<Secret> password = secret(section, "password");
    section.finish();
    return present
        ? Optional.of(
            new HttpAuth.Basic(user.orElse(Secret.of("")), password.orElse(Secret.of(""))))
        : Optional.empty();
  }

  private Optional<HttpAuth> token(boolean present, Section section) {
    String type = section.text("type", "Bearer").strip();
    if (type.toLowerCase(Locale.ROOT).equals("basic")) {
      section.expected("type", "another type than basic, for which there is basic_auth");
    }
    if (!type.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]*")) {
      section.expected("type", "one word for type");
    }
    Optional<Secret> credentials = secret(section, "credentials");
    section.finish();
    return present && credentials.isPresent()
        ? Optional.of(new HttpAuth.Token(type.isEmpty() ? "Bearer" : type, credentials.get()))
        : Optional.empty();
  }

  /** A secret of a key or of the file that the key with {@code _file} names. */
  private Optional<Secret> secret(Section section, String key) {
    Optional<Secret> inline = section.secret(key);
    Optional<Path> file = file(section, key + "_file");
    if (section.has(key) && section.has(key + "_file")) {
      section.problem(
          key + "_file", "found " + key + " and " + key + "_file, expected one of them");
    }
    return file.<Secret>map(Secret.FromFile::new).or(() -> inline);
  }

  private Optional<Path> file(Section section, String key) {
    String name = section.text(key, "");
    if (name.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(folder.resolve(name));
    } catch (InvalidPathException e) {
      section.expected(key, "a file name for " + key);
      return Optional.empty();
    }
  }

  TlsConfig tls(Section section) {
    section.unsupported(
        List.of("ca", "cert", "key", "cert_file", "key_file", "min_version", "max_version"));
    section.unsupported(List.of("ca_ref", "cert_ref", "key_ref"));
    @Nullable Path ca = file(section, "ca_file").orElse(null);
    TlsConfig tls =
        new TlsConfig(
            section.bool("insecure_skip_verify", false), ca, section.text("server_name", ""));
    section.finish();
    return tls;
  }
}
