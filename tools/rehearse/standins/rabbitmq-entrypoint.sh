#!/bin/bash
set -e
if [ -n "$RABBITMQ_DEFAULT_PASS_FILE" ]; then
  echo 'error: RABBITMQ_DEFAULT_PASS_FILE is set but deprecated' >&2
  exit 1
fi
if [ "$(id -u)" = 0 ]; then
  chown -R rabbitmq /var/lib/rabbitmq
  exec setpriv --reuid=rabbitmq --regid=rabbitmq --init-groups "$0" "$@"
fi
exec "$@"
