#!/usr/bin/env bash
# What keeping samples on disk costs ours, Prometheus and VictoriaMetrics: bytes, CPU, memory, replay
# after kill -9, queries over blocks (StoreComparison).
# Size by PEERS_SIZE: short (two and six hours of 10 replicas, some four minutes), standard (24 hours
# of 30 replicas, about fifteen minutes, what the docs quote).
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
find_jdk
for peer in prometheus victoria-metrics; do
  command -v "$peer" >/dev/null || { echo "needs $peer (Debian package of that name)" >&2; exit 3; }
done
"$root/inferometer" --version
size=${PEERS_SIZE:-standard}
[ "$size" = full ] && size=standard
"$JDK/bin/java" -cp "$(ls "$root"/benchmarks/target/inferometer-benchmarks-*.jar | head -n 1):$root/benchmarks/target/lib/*" \
  org.inferometer.benchmarks.peers.StoreComparison "$root" "$root/benchmarks/results/store.json" "$size"
