#!/bin/sh
# Creates the folder of a deployment's secrets: one folder for each Secret, one file for each key. Random values are chosen;
# files for values of others (carrier, mail server, provider, processor, storage) are created empty. Existing files stay.
#   deploy/kubernetes/create-secrets.sh FOLDER
# DATABASE_ADDRESS and REDIS_URL are those of deploy/kubernetes/data-stores by default.
set -eu
folder=${1:?usage: create-secrets.sh FOLDER}
database=${DATABASE_ADDRESS:-heliograph-db-rw:5432/heliograph}
redis=${REDIS_URL:-redis://heliograph-redis-master:6379}
umask 077

random() { openssl rand -hex 24; }
key() { printf 'k1:%s' "$(openssl rand -base64 32)"; }

# put SECRET KEY VALUE
put() {
  mkdir -p "$folder/$1"
  [ -e "$folder/$1/$2" ] || printf '%s' "$3" > "$folder/$1/$2"
}

put shared AMQP_URL ''
put shared REDIS_URL "$redis"
put owner DATABASE_URL ''
for service in sms-api email-api chatapp-api chatapp-hook bot-runtime account-api billing-hook; do
  login=heliograph_$(printf '%s' "$service" | tr - _)
  put "$service" DATABASE_URL "postgres://$login:$(random)@$database"
done
put sms-api PERSON_HASH_KEYS "$(random)"
for service in email-api chatapp-api bot-runtime account-api; do
  put "$service" PERSON_HASH_KEYS "$(cat "$folder/sms-api/PERSON_HASH_KEYS")"
done
put sms-api SMS_CARRIERS ''
put email-api EMAIL_SMTP_URL ''
put email-api EMAIL_TOKEN_SECRET "$(random)"
put email-api EMAIL_SECRETS_KEYS "$(key)"
put chatapp-api CHATAPP_ACCESS_TOKEN ''
put chatapp-hook CHATAPP_APP_SECRET ''
put chatapp-hook CHATAPP_VERIFY_TOKEN "$(random)"
put account-api SECRETS_KEYS "$(key)"
put account-api EMAIL_SECRETS_KEYS "$(cat "$folder/email-api/EMAIL_SECRETS_KEYS")"
put account-api PLATFORM_OPERATOR_TOKEN "$(random)"
put account-api BILLING_SECRET_KEY ''
put account-api REPORTS_S3_URL ''
put billing-hook BILLING_SECRET_KEY ''
put billing-hook BILLING_WEBHOOK_SECRET ''

echo "Set these values, or leave them empty if the deployment does not use them:"
find "$folder" -type f -empty | sort
