package org.inferometer.config;

/** What a request says about who asks. */
public sealed interface HttpAuth {
  /** Nothing. */
  record Anonymous() implements HttpAuth {}

  /** A user name and a password. */
  record Basic(Secret username, Secret password) implements HttpAuth {}

  /**
   * An {@code Authorization} header.
   *
   * @param scheme its first word, usually {@code Bearer}
   */
  record Token(String scheme, Secret credentials) implements HttpAuth {}

  HttpAuth NONE = new Anonymous();
}
