#!/usr/bin/env bash
# Ours, Prometheus and VictoriaMetrics side by side on the same synthetic replicas (PeerComparison).
# Size by PEERS_SIZE: short (a minute), standard (about ten minutes, what the docs quote), full. PEERS_MINUTES is
# how long each number of replicas is scraped, if not as long as the size says (3 minutes).
set -eu
root=$(cd -P "$(dirname "$0")/.." && pwd)
. "$root/bin/common.sh"
compare_with_peers PeerComparison "$root" "$root/benchmarks/results/peers.json" "${PEERS_SIZE:-standard}" ${PEERS_MINUTES:+"$PEERS_MINUTES"}
