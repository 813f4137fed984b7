package org.inferometer.app;

import java.util.regex.Pattern;
import org.inferometer.config.Config;
import org.inferometer.config.ConfigWriter;

/** Takes secrets out of texts that others will read. */
final class Redaction {
  private static final String HIDDEN = "<secret>";

  /** A key of YAML whose value isn't meant for others, whatever it is for. */
  private static final String KEY =
      "(?i)^([ -]*[\"']?[a-z0-9_-]*(?:token|api_?key|secret|passw|authorization|credentials)"
          + "[a-z0-9_-]*[\"']?:)";

  private static final Pattern SETTING = Pattern.compile(KEY + "(?= *\\S).*$");
  private static final Pattern LIST = Pattern.compile(KEY + " *$");

  private static final Pattern USER = Pattern.compile("(://)[^/?#@\\s]*@");

  /** Parameters of a URL that hold what isn't meant for others. */
  private static final Pattern PARAMETER =
      Pattern.compile(
          "(?i)([?&][^=&#\\s]*(?:token|key|secret|passw|auth|credential|sig)[^=&#\\s]*=)[^&#\\s]*");

  private Redaction() {}

  /**
   * A config as a file would say it; its passwords are never written, and here no tokens either.
   */
  static String config(Config config) {
    StringBuilder text = new StringBuilder();
    boolean isHidden = false;
    for (String line : ConfigWriter.write(config).split("\n", -1)) {
      boolean isElement = line.strip().startsWith("- ");
      isHidden = isElement ? isHidden : LIST.matcher(line).matches();
      String shown = SETTING.matcher(url(line)).replaceAll("$1 " + HIDDEN);
      text.append(isElement && isHidden ? "- " + HIDDEN : shown).append('\n');
    }
    return text.toString();
  }

  /** A URL, or a text with URLs in it, without user, password and tokens. */
  static String url(String text) {
    String withoutUser = USER.matcher(text).replaceAll("$1");
    return PARAMETER.matcher(withoutUser).replaceAll("$1" + HIDDEN);
  }
}
