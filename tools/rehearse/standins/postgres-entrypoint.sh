#!/bin/bash
set -e
if [ "$(id -u)" = 0 ]; then
  chown -R postgres:postgres "$PGDATA" /var/run/postgresql
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0" "$@"
fi
if [ -n "$POSTGRES_PASSWORD_FILE" ]; then POSTGRES_PASSWORD=$(cat "$POSTGRES_PASSWORD_FILE"); fi
user=${POSTGRES_USER:-postgres}
database=${POSTGRES_DB:-$user}
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  initdb -U "$user" --pwfile=<(printf '%s' "$POSTGRES_PASSWORD") --auth-host=scram-sha-256 --auth-local=trust >/dev/null
  echo 'host all all all scram-sha-256' >> "$PGDATA/pg_hba.conf"
  pg_ctl -w -s -o '-c listen_addresses=' start
  [ "$database" = postgres ] || psql -q -U "$user" -d postgres -c "create database \"$database\""
  for file in /docker-entrypoint-initdb.d/*; do
    case $file in
      *.sql) psql -q -v ON_ERROR_STOP=1 -U "$user" -d "$database" -f "$file" ;;
      *.sh) . "$file" ;;
    esac
  done
  pg_ctl -w -s -m fast stop
fi
unset POSTGRES_PASSWORD
exec "$@" -c listen_addresses='*'
