#!/usr/bin/env bash
# Ours, Prometheus and VictoriaMetrics asked the same queries over the same hours (QueryComparison).
# Size by PEERS_SIZE: short (one hour of samples, some four minutes), standard (six hours, about
# twenty minutes, what the docs quote). PEERS_SEEDS is a folder of articles whose PromQL is asked too.
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
  org.inferometer.benchmarks.peers.QueryComparison "$root" "$root/benchmarks/results/queries.json" "$size" "${PEERS_SEEDS:-$root/../shared/seeds}"
