#!/bin/sh
# Sends an SMS through the v1 API and waits for its delivery.
# HELIOGRAPH_URL: the address of the gateway. HELIOGRAPH_KEY: an API key.
set -eu
: "${HELIOGRAPH_URL:=http://localhost:8080}" "${HELIOGRAPH_KEY:?Set it to an API key}"

# Prints the response. An error response is printed to standard error and ends the script.
call() {
  if ! curl -sS --fail-with-body -X "$1" "$HELIOGRAPH_URL$2" \
    -H "Authorization: Bearer $HELIOGRAPH_KEY" -H 'Content-Type: application/json' ${3:+-d "$3"} > "$response"; then
    echo "$1 $2 failed: $(cat "$response")" >&2
    return 1
  fi
  cat "$response"
}
# Prints a field of a JSON object.
field() {
  sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"
}
response=$(mktemp)
trap 'rm -f "$response"' EXIT

message='"to":"+918123456789","sender_id":"DEMOIN","template_id":"otp","variables":{"code":"123456"}'

# An assignment fails with the command in it, a pipe only with its last command.
quote=$(call POST /api/v1/quote "{\"channel\":\"sms\",$message}")
echo "The quote: $(echo "$quote" | field verdict)"
sent=$(call POST /api/v1/sms/send "{$message,\"reference\":\"example\"}")
id=$(echo "$sent" | field id)
for _ in 1 2 3 4 5 6 7 8 9 10; do
  record=$(call GET "/api/v1/sms/delivery/$id")
  status=$(echo "$record" | field status)
  [ "$status" = delivered ] && break
  sleep 1
done
echo "The message $id is $status"
[ "$status" = delivered ]
