#!/bin/sh
# Sends an SMS through the v1 API and waits for its delivery.
# HELIOGRAPH_URL: the address of the gateway. HELIOGRAPH_KEY: an API key.
set -eu
: "${HELIOGRAPH_URL:=http://localhost:8080}" "${HELIOGRAPH_KEY:?Set it to an API key}"

call() {
  curl -sS --fail-with-body -X "$1" "$HELIOGRAPH_URL$2" \
    -H "Authorization: Bearer $HELIOGRAPH_KEY" -H 'Content-Type: application/json' ${3:+-d "$3"}
}
field() {
  sed "s/.*\"$1\":\"\([^\"]*\)\".*/\1/"
}

message='"to":"+918123456789","sender_id":"DEMOIN","template_id":"otp","variables":{"code":"123456"}'

echo "The quote: $(call POST /api/v1/quote "{\"channel\":\"sms\",$message}" | field verdict)"
id=$(call POST /api/v1/sms/send "{$message,\"reference\":\"example\"}" | field id)
for _ in 1 2 3 4 5 6 7 8 9 10; do
  status=$(call GET "/api/v1/sms/delivery/$id" | field status)
  [ "$status" = delivered ] && break
  sleep 1
done
echo "The message $id is $status"
