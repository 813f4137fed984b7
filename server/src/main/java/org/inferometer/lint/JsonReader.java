package org.inferometer.lint;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.inferometer.config.ParserWords;
import org.jspecify.annotations.Nullable;

/** Reads a JSON document into nodes that know where their characters stand. */
final class JsonReader {
  /** Nesting of a document: a dashboard's deepest part is at some 20. */
  static final int DEPTH_MAX = 200;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxStringLength(SourceFile.BYTES_MAX)
                  .build())
          .build();

  private final MappedText source;
  private final JsonParser parser;

  private JsonReader(MappedText source, JsonParser parser) {
    this.source = source;
    this.parser = parser;
  }

  /**
   * Reads text that holds one value.
   *
   * @throws Unreadable if it doesn't
   */
  static Node read(MappedText source) throws Unreadable {
    try (JsonParser parser = FACTORY.createParser(source.text())) {
      return new JsonReader(source, parser).document();
    } catch (JacksonException e) {
      JsonLocation at = e.getLocation();
      long offset = at == null ? 0 : Math.max(0, at.getCharOffset());
      throw new Unreadable(
          source.origin()[(int) Math.min(offset, source.text().length())],
          "not JSON: " + ParserWords.of(e.getOriginalMessage()));
    } catch (IOException e) {
      throw new Unreadable(source.origin()[0], "not JSON: " + e.getMessage());
    }
  }

  private Node document() throws IOException, Unreadable {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw new Unreadable(source.origin()[0], "not JSON: the document is empty");
    }
    Node root = node(token);
    if (parser.nextToken() != null) {
      throw new Unreadable(
          source.origin()[start()], "not JSON: found a second value, expected the end");
    }
    return root;
  }

  private Node node(@Nullable JsonToken token) throws IOException {
    if (token == null) {
      throw new IOException("the document ends in the middle");
    }
    int place = source.origin()[start()];
    return switch (token) {
      case START_OBJECT -> mapping(place);
      case START_ARRAY -> listing(place);
      case VALUE_STRING -> new Node.Scalar(place, string(start()), true);
      default -> {
        int start = start();
        int end = Math.min(source.text().length(), start + parser.getText().length());
        yield new Node.Scalar(place, source.part(start, end), false);
      }
    };
  }

  private Node mapping(int place) throws IOException {
    List<Node.Entry> entries = new ArrayList<>();
    long weight = 1;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String key = parser.currentName();
      Node value = node(parser.nextToken());
      entries.add(new Node.Entry(key == null ? "" : key, value));
      weight += 1 + value.weight();
    }
    return new Node.Mapping(place, List.copyOf(entries), weight);
  }

  private Node listing(int place) throws IOException {
    List<Node> items = new ArrayList<>();
    long weight = 1;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      Node item = node(token);
      items.add(item);
      weight += item.weight();
    }
    return new Node.Listing(place, List.copyOf(items), weight);
  }

  private int start() {
    long offset = parser.currentTokenLocation().getCharOffset();
    return Math.clamp(offset, 0, source.text().length());
  }

  /** The string whose opening quote stands at an offset; its form was checked by the parser. */
  private MappedText string(int quote) {
    String text = source.text();
    MappedText.Builder out = new MappedText.Builder(source);
    int i = quote + 1;
    while (i < text.length() && text.charAt(i) != '"') {
      if (text.charAt(i) != '\\') {
        out.add(text.charAt(i), i);
        i++;
      } else if (text.charAt(i + 1) == 'u') {
        out.add((char) Integer.parseInt(text, i + 2, i + 6, 16), i);
        i += 6;
      } else {
        out.add(escaped(text.charAt(i + 1)), i);
        i += 2;
      }
    }
    return out.build(Math.min(i, text.length()));
  }

  private static char escaped(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      case 'r' -> '\r';
      case 'b' -> '\b';
      case 'f' -> '\f';
      default -> c;
    };
  }
}
