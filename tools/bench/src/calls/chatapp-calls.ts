import { benchKey } from '@heliograph/bench-data';
import { HUB_SIGNATURE_HEADER, signHub } from '@heliograph/secrets';
import type { CallOptions, Calls } from './call-options';
import { bearer, postRequest } from './http-request';

export const CHATAPP_TEMPLATE = 'bench_notice';
export const CHATAPP_TOKEN = 'bench-provider-token';
export const CHATAPP_SECRET = 'bench-app-secret';
export const CHATAPP_PHONE = '100000000000001';

/** The number of the nth recipient or sender. */
export function chatappNumber(number: number): string {
  return `9198${String(number % 100_000_000).padStart(8, '0')}`;
}

/** Template sends to distinct numbers, by organizations in turn. */
export function chatappCalls({ path, population }: CallOptions): Calls {
  return (number) => {
    const body = `{"to":"+${chatappNumber(number)}","type":"template","template":{"name":"${CHATAPP_TEMPLATE}"}}`;
    return postRequest(path, [bearer(benchKey(number % population))], body);
  };
}

/** Signed webhooks with one text message each; the same number is the same message. */
export function updateCalls({ path }: CallOptions): Calls {
  return (number) => {
    const { body, signature } = signedUpdate(number);
    return postRequest(path, [`${HUB_SIGNATURE_HEADER}: ${signature}`], body);
  };
}

const timestamp = Math.floor(Date.now() / 1000);

/** The body and the signature of a webhook with the nth text message. */
export function signedUpdate(number: number): { body: string; signature: string } {
  const from = chatappNumber(number);
  const body = JSON.stringify({
    object: 'chatapp_business_account',
    entry: [
      {
        id: '200000000000002',
        changes: [
          {
            field: 'messages',
            value: {
              messaging_product: 'chatapp',
              metadata: { display_phone_number: '15550100001', phone_number_id: CHATAPP_PHONE },
              contacts: [{ profile: { name: 'Sender' }, wa_id: from }],
              messages: [
                {
                  from,
                  id: `wamid.bench.${number}`,
                  timestamp: String(timestamp),
                  type: 'text',
                  text: { body: 'Hello' },
                },
              ],
            },
          },
        ],
      },
    ],
  });
  return { body, signature: signHub(CHATAPP_SECRET, body) };
}
