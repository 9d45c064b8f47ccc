import type { LoadOrder } from '../load-generator';
import { LoadRecorder } from '../load-report';
import { chatappNumber, CHATAPP_PHONE, CHATAPP_TEMPLATE } from '../calls/chatapp-calls';

/** The reference: loops that call the provider with fetch, wait for each response and store nothing. */
async function main(): Promise<void> {
  const [, , orderText = '{}', upstream = '', token = ''] = process.argv;
  const order = JSON.parse(orderText) as LoadOrder;
  const url = `${upstream}/v21.0/${CHATAPP_PHONE}/messages`;
  const recorder = new LoadRecorder();
  let sent = 0;
  const loop = async (): Promise<void> => {
    while (performance.now() - recorder.startedAt < order.durationMs) {
      const calledAt = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'chatapp',
          recipient_type: 'individual',
          to: `+${chatappNumber(order.offset + sent++)}`,
          type: 'template',
          template: { name: CHATAPP_TEMPLATE, language: { code: 'en_US' } },
        }),
      });
      await response.json();
      recorder.record(calledAt, response.ok);
    }
  };
  await Promise.all(Array.from({ length: order.connections }, loop));
  console.log(JSON.stringify(recorder.report()));
}

void main();
