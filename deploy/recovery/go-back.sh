#!/usr/bin/env bash
# go-back.sh OLDER BACKUPS: before the servers of the version in the folder OLDER take the place of newer ones: backs up to the folder
# BACKUPS, and has the older version say whether it works on the schema that is there. Nothing else is changed.
set -euo pipefail
older=${1:?usage: go-back.sh OLDER BACKUPS}
[[ -f $older/dist/db/migrate-main.js ]] || { printf '%s has no version of the service that is built.\n' "$older" >&2; exit 1; }
"$(dirname "$0")/backup.sh" "${2:?usage: go-back.sh OLDER BACKUPS}"
node "$older/dist/db/migrate-main.js"
printf 'Start the servers of %s one by one in place of the others.\n' "$older"
