import { benchKey } from '@heliograph/harness';
import { HUB_SIGNATURE_HEADER, signHub } from '@heliograph/signatures';
import type { CallOptions, Calls } from './calls';

export const CHATAPP_TEMPLATE = 'bench_notice';
export const CHATAPP_SECRET = 'the-app-secret-of-the-bench';
export const CHATAPP_PHONE = '100000000000001';

/** The nth number that is written to, or writes. */
export function chatappNumber(number: number): string {
  return `9198${String(number % 100_000_000).padStart(8, '0')}`;
}

/** Template sends to numbers of their own, by organizations that take turns. */
export function chatappCalls({ path, population }: CallOptions): Calls {
  return (number) => {
    const body = `{"to":"+${chatappNumber(number)}","type":"template","template":{"name":"${CHATAPP_TEMPLATE}"}}`;
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${benchKey(number % population)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
}

/** Signed webhooks, each with one text of somebody's; the same number is the same message. */
export function updateCalls({ path }: CallOptions): Calls {
  const timestamp = Math.floor(Date.now() / 1000);
  return (number) => {
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
                contacts: [{ profile: { name: 'Somebody' }, wa_id: from }],
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
    return Buffer.from(
      `POST ${path} HTTP/1.1\r\nHost: bench\r\n${HUB_SIGNATURE_HEADER}: ${signHub(CHATAPP_SECRET, body)}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
  };
}
