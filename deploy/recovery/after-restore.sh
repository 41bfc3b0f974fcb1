#!/usr/bin/env bash
# after-restore.sh REASON: waits until a server is ready, begins evidence anew where it is behind what has left the service, and
# checks all records against it. The reason stands in the evidence for good. VERDICT_ADMIN is the address of a server's admin port.
set -euo pipefail
: "${DATABASE_URL:?must be set}"
reason=${1:?usage: after-restore.sh REASON}
root=$(cd "$(dirname "$0")/../.." && pwd)
verdict() { node "$root/dist/cli/main.js" "$@"; }
readiness() { curl -s --max-time 5 "${VERDICT_ADMIN:-http://localhost:3001}/readyz"; }

state=
for ((second = 0; second < 120; second++)); do
  state=$(readiness || true)
  [[ $state == *'"status":"ready"'* ]] && break
  sleep 1
done
[[ $state == *'"status":"ready"'* ]] || { printf 'No server is ready: %s\n' "$state" >&2; exit 1; }

# A server looks at all evidence within seconds after its start.
for ((second = 0; second < ${LOOK_SECONDS:-15}; second++)); do
  [[ $(readiness) == *evidence_behind* ]] && { verdict evidence restart --reason "$reason"; break; }
  sleep 1
done
verdict evidence check
