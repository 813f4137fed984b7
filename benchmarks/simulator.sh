#!/usr/bin/env bash
# How much faster than real time simulations run; writes benchmarks/results/simulator.json.
# Simulated seconds by SIMULATOR_SECONDS, 600 if not set.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
find_jdk
classpath="$(ls "$root"/benchmarks/target/inferometer-benchmarks-*.jar | head -n 1):$root/benchmarks/target/lib/*"
exec "$JDK/bin/java" -cp "$classpath" org.inferometer.benchmarks.simulator.EngineSpeed \
  "$root/benchmarks/results/simulator.json" "${SIMULATOR_SECONDS:-600}"
