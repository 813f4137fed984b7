package org.inferometer.diagnosis.cause;

import org.inferometer.diagnosis.finding.Effect;
import org.inferometer.diagnosis.world.Reading;
import org.inferometer.diagnosis.world.ServiceWorld;
import org.inferometer.signals.Phrases;

/** What a signal would be without a fault. */
final class HardwareEffects {
  private HardwareEffects() {}

  /** As it is at the peers, or as it was before where there are none. */
  static Effect against(ServiceWorld service, Reading reading, double peers) {
    double now = HardwareTime.recent(service, reading);
    boolean isOfPeers = !Double.isNaN(peers);
    double without = isOfPeers ? peers : reading.baseline();
    return of(reading, now, without, isOfPeers ? "it were like its peers" : "it were as before");
  }

  /**
   * @param if_ the assumption, after "if"
   */
  static Effect of(Reading reading, double now, double without, String if_) {
    double share = Math.max(0, 1 - without / now);
    String text =
        Double.isNaN(without) || Double.isNaN(now)
            ? null
            : "The %s would be %s instead of %s, if %s."
                .formatted(
                    Phrases.inSentence(reading.title()),
                    Phrases.value(reading.unit(), without),
                    Phrases.value(reading.unit(), now),
                    if_);
    return new Effect(reading.signal(), share, now, without, text);
  }
}
