#!/usr/bin/env bash
# restore.sh FILE [--replace] [--until 'YYYY-MM-DD hh:mm:ss' [--logs FOLDER]]: restores the database of DATABASE_URL from a file of
# backup.sh, and brings its schema up to date. Servers must be stopped.
#   --replace  empties a database that has tables
#   --until    goes on to that moment (UTC) by the binary log: to just before somebody's mistake
#   --logs     where copies of the binary log are; else they are read from the server before anything is changed
set -euo pipefail
file=${1:?usage: restore.sh FILE [--replace] [--until TIME [--logs FOLDER]]}
[[ -r $file ]] || { printf '%s\n' "$file cannot be read." >&2; exit 1; }
source "$(dirname "$0")/connection.sh"
shift
replace= until= logs=
while (($#)); do
  case $1 in
    --replace) replace=yes ;;
    --until) until=${2:?--until needs a time}; shift ;;
    --logs) logs=${2:?--logs needs a folder}; shift ;;
    *) fail "$1 is no option" ;;
  esac
  shift
done

last=$(gzip -dc "$file" | tail -n 1) || last=
[[ $last =~ ^'-- Backup of '(.+)' at '([0-9: -]+)$ ]] || fail "$file is not a complete backup of backup.sh."
source=${BASH_REMATCH[1]} taken=${BASH_REMATCH[2]}
# The servers of this database have a lease each, which a killed one has for 20 s more.
tables=$(ask "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = '$database'")
if ((tables > 0)); then
  [[ -n $replace ]] || fail "$database has $tables tables: name an empty database, or say --replace."
  alive=$(ask "SELECT COUNT(*) FROM \`$database\`.jobs WHERE kind = 'sealing' AND due_at > UTC_TIMESTAMP(3)" 2>/dev/null) || alive=0
  ((alive == 0)) || fail "$alive server processes work on $database: stop them, and wait for 20 s after one that was killed."
fi

if [[ -n $until ]]; then
  [[ $(date -u -d "$until" '+%F %T' 2>/dev/null) == "$until" ]] || fail "--until needs 'YYYY-MM-DD hh:mm:ss' in UTC, not $until"
  [[ $until > $taken ]] || fail "$file is of $taken, after $until: name an older one."
  [[ $source == "$database" ]] || fail "--until goes on in the database that was backed up alone: the binary log is of $source, not of $database."
  # `head` ends before gzip does, which is no failure.
  place=$({ gzip -dc "$file" || true; } | head -n 60 | grep -oE "_LOG_FILE='[^']+', (MASTER|SOURCE)_LOG_POS=[0-9]+") ||
    fail "$file does not say where in the binary log it was taken."
  first=${place#*\'} first=${first%%\'*}
  position=${place##*=}
  binlog=$(tool mariadb-binlog mysqlbinlog)
  if [[ -z $logs ]]; then
    logs=$private/logs
    mkdir "$logs"
    (cd "$logs" && "$binlog" "${options[@]}" --read-from-remote-server --raw --to-last-log "$first")
  fi
  # Their numbers grow, and have the same width.
  mapfile -t following < <(find "$logs" -maxdepth 1 -name "${first%.*}.[0-9]*" | sort | awk -v first="$first" '{ name = $0; sub(/.*\//, "", name); if (name >= first) print }')
  [[ ${following[0]:-} == */$first ]] || fail "$logs does not have $first, in which the backup was taken."
  number=$((10#${first##*.}))
  for log in "${following[@]}"; do ((10#${log##*.} == number++)) || fail "$logs has no file before ${log##*/}."; done
  replayed=(--start-position="$position" --stop-datetime="$until" --database="$database")
  # A server with global identifiers of transactions (MySQL 9.7 by itself) passes over those that it has seen, as it has all of its own log.
  if [[ $("$binlog" --help) == *skip-gtids* ]]; then replayed+=(--skip-gtids); fi
  replay() { TZ=UTC "$binlog" "${replayed[@]}" "${following[@]}"; }
  replay > /dev/null || fail "The binary log cannot be read: nothing was changed."
fi

say "Restoring $file to $database …"
charset=$(ask "SELECT CONCAT(default_character_set_name, ' COLLATE ', default_collation_name) FROM information_schema.schemata WHERE schema_name = '$database'")
ask "DROP DATABASE IF EXISTS \`$database\`; CREATE DATABASE \`$database\` CHARACTER SET ${charset:-utf8mb4}"
gzip -dc "$file" | "$client" "${options[@]}" "$database"
if [[ -n $until ]]; then
  say "Going on to $until …"
  replay | "$client" "${options[@]}" --binary-mode
fi
# Of servers that ran when the backup was taken.
ask "DELETE FROM \`$database\`.jobs WHERE kind IN ('evidence', 'sealing', 'writing')"
node "$root/dist/db/migrate-main.js" >&2
if [[ -n ${REDIS_URL:-} ]]; then
  # It holds what is not there any more.
  for node in ${REDIS_URL//,/ }; do redis-cli -u "$node" flushall >/dev/null || fail "Flush $node before a server starts."; done
fi
say 'Restored. Start the servers, then: after-restore.sh REASON'
