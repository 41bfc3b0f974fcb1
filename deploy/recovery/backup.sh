#!/usr/bin/env bash
# backup.sh FOLDER: backs up the database of DATABASE_URL while the servers run, and prints the file. Where MySQL writes a binary log
# the file says at which place in it the backup was taken, so that restore.sh can go on from there to a point in time.
set -euo pipefail
source "$(dirname "$0")/connection.sh"
folder=${1:?usage: backup.sh FOLDER}
mkdir -p "$folder"
at=$(ask 'SELECT UTC_TIMESTAMP()')
name=${at//[-:]/}
file=$folder/verdict-${name/ /T}Z.sql.gz

help=$("$dump" --help)
with=(--single-transaction --quick --hex-blob --no-tablespaces)
if [[ $help == *set-gtid-purged* ]]; then with+=(--set-gtid-purged=OFF); fi
if [[ $(ask 'SELECT @@log_bin') == 1 ]]; then
  if [[ $help == *source-data* ]]; then with+=(--source-data=2); else with+=(--master-data=2); fi
fi

"$dump" "${options[@]}" "${with[@]}" "$database" | gzip > "$file.part"
# What was cut off would be restored without a word.
gzip -dc "$file.part" | tail -n 1 | grep -q '^-- Dump completed' || fail "The backup is not complete: $file.part"
# Its last line, by which restore.sh knows that it is whole, and what the binary log goes on from.
printf -- '-- Backup of %s at %s\n' "$database" "$at" | gzip >> "$file.part"
mv "$file.part" "$file"
printf '%s\n' "$file"
