#!/bin/sh
# Makes a base backup, verifies it, and removes the oldest ones with the log that only they need. Run it daily.
#   BACKUP_DIR=/backup DATABASE_URL=postgres://backup@primary base-backup.sh
set -eu
folder=${BACKUP_DIR:?set BACKUP_DIR to the folder of backups}
database=${DATABASE_URL:?set DATABASE_URL to the address of the primary, with a user that has the attribute REPLICATION}
keep=${BACKUP_KEEP:-7}

name=$(date -u +%Y%m%dT%H%M%SZ)
mkdir -p "$folder/base" "$folder/wal"
# The log that the backup needs comes from stream-wal.sh.
pg_basebackup --dbname="$database" --pgdata="$folder/base/$name.partial" --wal-method=none --checkpoint=fast --no-sync
pg_verifybackup --no-parse-wal "$folder/base/$name.partial"
mv "$folder/base/$name.partial" "$folder/base/$name"

ls -1d "$folder"/base/*Z | head -n "-$keep" | while read -r old; do rm -rf "$old"; done
oldest=$(ls -1d "$folder"/base/*Z | head -n 1)
first=$(sed -n 's/^START WAL LOCATION: .* (file \([0-9A-F]*\)).*/\1/p' "$oldest/backup_label")
pg_archivecleanup "$folder/wal" "$first"
echo "base backup $name; the oldest is $(basename "$oldest")"
