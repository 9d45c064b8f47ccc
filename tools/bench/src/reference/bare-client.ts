import type { LoadOrder, LoadReport } from '../load-generator';
import { chatappNumber, CHATAPP_PHONE, CHATAPP_TEMPLATE } from '../calls/chatapp-calls';

/** The yardstick: loops that send and wait for the answer with the platform's own client, and keep nothing. */
async function main(): Promise<void> {
  const [, , orderText = '{}', upstream = '', token = ''] = process.argv;
  const order = JSON.parse(orderText) as LoadOrder;
  const url = `${upstream}/v21.0/${CHATAPP_PHONE}/messages`;
  const latencies: number[] = [];
  let [ok, refused, sent] = [0, 0, 0];
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  const loop = async (): Promise<void> => {
    while (performance.now() - startedAt < order.durationMs) {
      const to = `+${chatappNumber(order.offset + sent++)}`;
      const calledAt = performance.now();
      const response = await fetch(url, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          messaging_product: 'chatapp',
          recipient_type: 'individual',
          to,
          type: 'template',
          template: { name: CHATAPP_TEMPLATE, language: { code: 'en_US' } },
        }),
      });
      await response.json();
      latencies.push(performance.now() - calledAt);
      if (response.ok) ok++;
      else refused++;
    }
  };
  await Promise.all(Array.from({ length: order.connections }, loop));
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number): number => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  const { user, system } = process.cpuUsage(cpu);
  const report: LoadReport = {
    ok,
    refused,
    seconds,
    perSecond: ok / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    cpuSeconds: (user + system) / 1e6,
  };
  console.log(JSON.stringify(report));
}

void main();
