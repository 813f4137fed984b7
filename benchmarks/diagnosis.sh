#!/usr/bin/env bash
# How long diagnoses take, cold and warm; writes benchmarks/results/diagnosis.json.
# Later diagnoses of each fleet by DIAGNOSES, 100 if not set.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
find_jdk
classpath="$(ls "$root"/benchmarks/target/inferometer-benchmarks-*.jar | head -n 1):$root/benchmarks/target/lib/*"
exec "$JDK/bin/java" -Xmx2g -cp "$classpath" org.inferometer.benchmarks.diagnosis.DiagnosisSpeed \
  "$root/benchmarks/results/diagnosis.json" "${DIAGNOSES:-100}"
