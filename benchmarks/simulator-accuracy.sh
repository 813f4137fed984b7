#!/usr/bin/env bash
# Simulates measurements that others published (benchmarks/src/main/resources/accuracy) and writes how
# near it comes to docs/simulator-accuracy.md. About two minutes; the same on every machine.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
find_jdk
"$JDK/bin/java" -cp "$(ls "$root"/benchmarks/target/inferometer-benchmarks-*.jar | head -n 1):$root/benchmarks/target/lib/*" \
  org.inferometer.benchmarks.accuracy.AccuracyPage \
  "$root/benchmarks/results/simulator-accuracy.json" "$root/docs/simulator-accuracy.md"
