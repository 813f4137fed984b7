#!/usr/bin/env bash
# Ours, Prometheus and VictoriaMetrics asked the same queries over the same hours (QueryComparison).
# Size by PEERS_SIZE: short (one hour of samples, some four minutes), standard (six hours, about
# twenty minutes, what the docs quote). PEERS_SEEDS is a folder of articles whose PromQL is asked too.
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
size=${PEERS_SIZE:-standard}
[ "$size" = full ] && size=standard
compare_with_peers QueryComparison "$root" "$root/benchmarks/results/queries.json" "$size" "${PEERS_SEEDS:-$root/../shared/seeds}"
