package org.inferometer.signals;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The schema that editors use for dialect files says what the loader says. */
class DialectSchemaTest {
  private final YAMLMapper yaml = new YAMLMapper();
  private final JsonSchema schema =
      JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
          .getSchema(Catalogue.resource("dialect.schema.json"));

  @Test
  void everyBuiltInFile_isValid() throws IOException {
    for (String id : Catalogue.DIALECTS) {
      assertThat(problems(Catalogue.resource(id + ".yaml"))).as(id).isEmpty();
      JsonNode families = yaml.readTree(Catalogue.resource("families/" + id + ".yaml"));
      ((ObjectNode) families).putObject("dialect").put("id", id);
      assertThat(schema.validate(families)).as("families of " + id).isEmpty();
    }
  }

  @Test
  void unknownKeys_areRefused() throws IOException {
    assertThat(problems("dialect: {id: a, titel: b}")).hasSize(1);
    assertThat(problems("dialect: {id: a}\nsignals: [{signal: ttft, absnt: b}]")).isNotEmpty();
    assertThat(problems("dialect: {id: a}\nmarkers: [{family: a}]")).isNotEmpty();
    assertThat(problems("dialect: {id: a}\nfamilies: [{name: a, type: timer}]")).isNotEmpty();
    assertThat(problems("dialect: {id: a}")).isEmpty();
  }

  private Set<ValidationMessage> problems(String text) throws IOException {
    return schema.validate(yaml.readTree(text));
  }
}
