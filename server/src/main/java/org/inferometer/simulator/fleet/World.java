package org.inferometer.simulator.fleet;

import org.inferometer.hardware.Hardware;
import org.inferometer.hardware.ModelShape;
import org.inferometer.hardware.Models;
import org.inferometer.simulator.event.Agenda;
import org.inferometer.simulator.event.Dice;
import org.inferometer.simulator.request.RequestIds;

/**
 * What all parts of a fleet share.
 *
 * @param dice of which each part takes a stream of its own name
 * @param startMs the time of day at the simulated moment 0
 */
record World(
    Agenda agenda, Dice dice, long startMs, Hardware hardware, Models models, RequestIds ids) {
  static World of(long seed, long startMs) {
    return new World(
        new Agenda(),
        Dice.of(seed),
        startMs,
        Hardware.builtIn(),
        Models.builtIn(),
        new RequestIds());
  }

  Hardware.Gpu gpu(String id) {
    Hardware.Gpu gpu = hardware.find(id);
    if (gpu == null) {
      throw new IllegalArgumentException("expected a GPU of the table, not \"" + id + "\"");
    }
    return gpu;
  }

  ModelShape model(String id) {
    ModelShape model = models.find(id);
    if (model == null) {
      throw new IllegalArgumentException("expected a model of the table, not \"" + id + "\"");
    }
    return model;
  }
}
