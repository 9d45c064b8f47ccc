#!/bin/sh
# Streams the write-ahead log of PostgreSQL into the backup folder, without end. Run exactly one, and run it again when it ends.
#   BACKUP_DIR=/backup DATABASE_URL=postgres://backup@primary stream-wal.sh
# The user has the attribute REPLICATION. The slot keeps the log on the server while this script is away: watch its size.
set -eu
folder=${BACKUP_DIR:?set BACKUP_DIR to the folder of backups}
database=${DATABASE_URL:?set DATABASE_URL to the address of the primary, with a user that has the attribute REPLICATION}
slot=${BACKUP_SLOT:-heliograph_backup}

mkdir -p "$folder/wal"
pg_receivewal --dbname="$database" --slot="$slot" --create-slot --if-not-exists
# --synchronous: what the server knows as written is on the disk of the backup, too.
exec pg_receivewal --dbname="$database" --slot="$slot" --directory="$folder/wal" --synchronous
