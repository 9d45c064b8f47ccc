/** What the reference tells its readers to set, and functions of the preparation. */
export const CREDENTIALS = `
API_KEY=msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001
TEST_API_KEY=msg_test_demoDEMOdemoDEMOdemoDEMOdemo0001
OPERATOR_TOKEN=local-operator-0123456789abcdef0123456789
WEBHOOK_SECRET=whsec_simulated
APP_SECRET=local-app-secret
HUB_VERIFY_TOKEN=local-verify-token

# Prints the first text field with a name in the input.
field() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -n 1 | cut -d '"' -f 4; }
as_key() { curl -H "Authorization: Bearer $API_KEY" -H 'Content-Type: application/json' "$@"; }
as_operator() { curl -H "Authorization: Bearer $OPERATOR_TOKEN" -H 'Content-Type: application/json' "$@"; }
as_user() { curl -b "session=$SESSION_TOKEN" -H "Origin: $API" -H 'Content-Type: application/json' "$@"; }
# Prints the output of a command once it is not empty.
wait_for() {
  for attempt in $(seq 100); do
    found=$("$@" || true)
    if [ -n "$found" ]; then echo "$found"; return; fi
    sleep 0.2
  done
  echo "no result: $*" >&2; return 1
}
# Prints the token in the link of the mail to an address.
mailed_token() { wait_for link_token "$1"; }
link_token() { curl -G "$CONTROL/mailbox/messages" --data-urlencode "to=$1" | grep -oE "[?]token=[A-Za-z0-9_-]+" | head -n 1 | cut -d = -f 2; }
`;

/** A session of a new user, so that the samples of sessions do not affect each other. */
export const SESSION = `
SAMPLE_USER="user-$$-$RANDOM@demo.example"
SAMPLE_ORGANIZATION=$(as_operator "$API/api/platform/organizations" | tr '}' '\\n' | grep '"slug":"demo"' | field id)
as_operator -o /dev/null "$API/api/platform/organizations/$SAMPLE_ORGANIZATION/users" -d "{\\"email\\":\\"$SAMPLE_USER\\",\\"name\\":\\"Sam\\",\\"password\\":\\"correct horse battery staple\\",\\"role\\":\\"owner\\"}"
log_in() { curl -D - -o /dev/null "$API/api/auth/login" -H 'Content-Type: application/json' -d "{\\"email\\":\\"$SAMPLE_USER\\",\\"password\\":\\"correct horse battery staple\\"}" | sed -n 's/^set-cookie: session=\\([^;]*\\).*/\\1/Ip'; }
SESSION_TOKEN=$(log_in)
`;

/** Computes the code of an authenticator app (RFC 6238) for a secret in base32. */
const TOTP = `
const { createHmac } = require('node:crypto');
let bits = '';
for (const letter of process.argv[1]) bits += 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0');
const key = Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)));
const counter = Buffer.alloc(8);
counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30000)));
const hash = createHmac('sha1', key).update(counter).digest();
console.log(String((hash.readUInt32BE(hash[19] & 15) & 0x7fffffff) % 1000000).padStart(6, '0'));
`;
const PASSWORD = `{"password":"correct horse battery staple"}`;
const ENROLL = `
SECRET=$(as_user "$API/api/auth/mfa" -d '${PASSWORD}' | field secret)
CODE=$(node -e '${TOTP.replaceAll("'", `'\\''`)}' "$SECRET")
`;
/** A code from the authenticator app is valid once, so that the sample uses a recovery code. */
const ENABLE_MFA = `${ENROLL}
CODE=$(as_user "$API/api/auth/mfa/confirm" -d "{\\"code\\":\\"$CODE\\"}" | grep -o '"recoveryCodes":\\["[^"]*"' | cut -d '"' -f 4)
`;
const INVITE = `
INVITED="invited-$$-$RANDOM@elsewhere.example"
as_key -o /dev/null "$API/api/organization/invitations" -d "{\\"email\\":\\"$INVITED\\",\\"role\\":\\"member\\"}"
TOKEN=$(mailed_token "$INVITED")
`;
const INVOICE = `
curl -o /dev/null "$CONTROL/payments/events" -H 'Content-Type: application/json' -d '{"type":"invoice.payment_succeeded","object":{"id":"in_demo","object":"invoice","customer":"cus_demo","number":"D-1","status":"paid","currency":"eur","total":1000,"amount_due":1000,"amount_paid":1000,"period_start":1769860800,"period_end":1772452800,"lines":{"data":[{"id":"il_1","description":"SMS credits","amount":1000,"quantity":1,"metadata":{}}]}}}'
invoice() { as_key "$API/api/workspaces/$(as_key "$API/api/workspaces" | field id)/billing/invoices" | field id; }
wait_for invoice
`;
const CONVERSATION = `
STARTED=$(curl "$API/api/v1/chat/conversations" -H 'Content-Type: application/json' -d '{"botId":"bot_acme_help"}')
CONVERSATION_ID=$(echo "$STARTED" | field id)
CONVERSATION_TOKEN=$(echo "$STARTED" | field conversationToken)
`;
const HAND_OFF = `${CONVERSATION}
curl -o /dev/null "$API/api/v1/chat/conversations/$CONVERSATION_ID/messages" -H "Authorization: Bearer $CONVERSATION_TOKEN" -H 'Content-Type: application/json' -d '{"message":"I have a complaint"}'
`;
/** A stream does not end. */
const READ_STREAM = `curl() { command curl --silent --show-error --fail-with-body --max-time 2 "$@" || [ $? = 28 ]; }`;
const APPROVE_DEVICE = `
STARTED=$(curl "$API/api/v1/auth/device" -H 'Content-Type: application/json' -d '{"name":"Command line"}')
DEVICE_CODE=$(echo "$STARTED" | field device_code)
USER_CODE=$(echo "$STARTED" | field user_code)
as_key -o /dev/null "$API/api/auth/device/approve" -d "{\\"userCode\\":\\"$USER_CODE\\",\\"name\\":\\"Laptop $RANDOM\\"}"
`;
/** Free-form text requires an inbound message, and the inbound message belongs to the organization that answers. */
const INBOUND = `
curl -o /dev/null "$CONTROL/platform/inbound" -H 'Content-Type: application/json' -d '{"from":"+919812345678","message":{"type":"text","text":{"body":"Hello?"}}}'
window() { as_key "$API/chatapp/send" -d '{"to":"+919812345678","type":"text","text":"Hello"}' | field id; }
wait_for window
`;

/** The state that a sample requires and the values that the reader has, by operation. */
export const PREPARATION: Readonly<Record<string, string>> = {
  v1SetTestCredits: 'API_KEY=$TEST_API_KEY',
  v1GetTestClock: 'API_KEY=$TEST_API_KEY',
  v1AdvanceTestClock: 'API_KEY=$TEST_API_KEY',
  acceptInvitation: INVITE,
  getReceivedInvitation: INVITE,
  resetPassword: `${SESSION}
    as_key -o /dev/null "$API/api/auth/password-resets" -d "{\\"email\\":\\"$SAMPLE_USER\\"}"
    TOKEN=$(mailed_token "$SAMPLE_USER")`,
  endSession: 'log_in > /dev/null',
  confirmSecondFactor: ENROLL,
  removeSecondFactor: ENABLE_MFA,
  renewRecoveryCodes: ENABLE_MFA,
  listInvoices: INVOICE,
  getInvoice: INVOICE,
  getReceipt: INVOICE,
  getConversation: CONVERSATION,
  getTranscript: CONVERSATION,
  sendMessage: CONVERSATION,
  submitForm: CONVERSATION,
  endConversation: CONVERSATION,
  rateConversation: CONVERSATION,
  reopenConversation: `${CONVERSATION}
    curl -o /dev/null -X POST "$API/api/v1/chat/conversations/$CONVERSATION_ID/end" -H "Authorization: Bearer $CONVERSATION_TOKEN"`,
  streamEvents: `${CONVERSATION}
    ${READ_STREAM}`,
  v1StreamMessages: READ_STREAM,
  v1ExchangeDeviceCode: APPROVE_DEVICE,
  sendChatapp: INBOUND,
  sendChatappByQuery: INBOUND,
  getChatappStatus: INBOUND,
  markChatappRead: INBOUND,
  v1QuoteChatapp: INBOUND,
  v1DownloadReport: `
    as_key -o /dev/null "$API/api/v1/reports" -d '{"type":"contacts"}'
    file() { as_key "$API/api/v1/reports" | field download_url; }
    wait_for file`,
  v1RetryWebhookDelivery: `
    as_key -o /dev/null "$API/api/v1/sms/send" -d '{"to":"+919876543210","sender_id":"DEMOIN","template_id":"otp","variables":{"code":"1"}}'
    delivery() { as_key "$API/api/v1/webhooks/$(as_key "$API/api/v1/webhooks?limit=1" | field id)/logs" | field id; }
    wait_for delivery`,
  resubmitOnboarding: `
    ONBOARDING=$(as_key "$API/api/organization/sms/onboardings" -d '{"name":"norway","country":"NO"}' | field id)
    as_operator -o /dev/null "$API/api/platform/sms/onboardings/$ONBOARDING/reject" -d '{"reason":"unreadable"}'`,
  answerConversation: HAND_OFF,
  changeConversation: HAND_OFF,
};
