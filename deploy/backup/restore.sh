#!/bin/sh
# Prepares a data folder from the newest base backup before the target time and the streamed log. Start PostgreSQL on it afterwards: it
# recovers, and accepts connections when it has reached the target.
#   BACKUP_DIR=/backup restore.sh DATA_FOLDER [TARGET_TIME]
# TARGET_TIME is a time such as '2026-03-01 12:00:00+00'; without it, everything in the backup is restored.
set -eu
folder=${BACKUP_DIR:?set BACKUP_DIR to the folder of backups}
data=${1:?usage: restore.sh DATA_FOLDER [TARGET_TIME]}
target=${2:-}

if [ -n "$(ls -A "$data" 2>/dev/null)" ]; then
  echo "$data is not empty. Move its content away first." >&2
  exit 1
fi
latest=$(date -u -d "${target:-now}" +%Y%m%dT%H%M%SZ)
base=
for candidate in "$folder"/base/*Z; do
  if [ ! "$(basename "$candidate")" \> "$latest" ]; then base=$candidate; fi
done
[ -n "$base" ] || { echo "No base backup is older than $target." >&2; exit 1; }

mkdir -p "$data"
cp -a "$base/." "$data/"
chmod 700 "$data"
# The last segment is incomplete and has another name; its end is the end of the log.
cat >> "$data/postgresql.auto.conf" <<SETTINGS
restore_command = 'cp "$folder/wal/%f" "%p" 2>/dev/null || cp "$folder/wal/%f.partial" "%p"'
recovery_target_timeline = 'latest'
recovery_target_action = 'promote'
SETTINGS
# PostgreSQL reads its settings before it knows names of time zones.
[ -z "$target" ] || echo "recovery_target_time = '$(date -u -d "$target" '+%Y-%m-%d %H:%M:%S.%6N+00')'" >> "$data/postgresql.auto.conf"
touch "$data/recovery.signal"
echo "restored $(basename "$base") to $data; start PostgreSQL to recover"
