import type { JobLane } from '@heliograph/contracts';
import type { DeliveryReceipt, OutboundSms, ReceiptSink, SubmitOutcome } from '../carrier';
import { smppCarrierConfig, type SmppCarrierConfigInput } from '../carrier-config';
import { SmppCarrier } from './smpp-carrier';

/** Test fixture: an SMPP carrier with short timeouts, connected to a simulator on loopback. */
export interface CarrierFixture {
  carrier: SmppCarrier;
  receipts: DeliveryReceipt[];
  /** Acquires a slot and submits. */
  send(message?: Partial<OutboundSms>): Promise<SubmitOutcome>;
}

/** The lane of the messages of tests. */
export const LANE: JobLane = { kind: 'single', organizationId: null };
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function startCarrier(
  port: number,
  config: Partial<SmppCarrierConfigInput> = {},
  sink?: ReceiptSink,
): CarrierFixture {
  const carrier = new SmppCarrier(
    smppCarrierConfig.parse({
      name: 'one',
      host: '127.0.0.1',
      port,
      systemId: 'acme',
      password: 'secret',
      binds: 1,
      responseTimeoutMs: 5_000,
      reconnectMinMs: 20,
      reconnectMaxMs: 100,
      stopTimeoutMs: 200,
      ...config,
    }),
    SILENT,
  );
  const receipts: DeliveryReceipt[] = [];
  carrier.start(
    sink ??
      (async (receipt) => {
        receipts.push(receipt);
      }),
  );
  return {
    carrier,
    receipts,
    send: async (message) => {
      if (!(await carrier.acquire(LANE, 5_000))) throw new Error('no slot became free in time');
      return carrier.submit(outboundSms(message));
    },
  };
}

export function outboundSms(message: Partial<OutboundSms> = {}): OutboundSms {
  return {
    messageId: 'm1',
    source: 'ACMEIN',
    destination: '919811111111',
    body: 'hello',
    encoding: 'gsm-7',
    flash: false,
    dltEntityId: null,
    dltTemplateId: null,
    ...message,
  };
}

/** Polls until the condition is true; rejects after the deadline. */
export async function until(condition: () => boolean, deadlineMs = 30_000): Promise<void> {
  const endMs = performance.now() + deadlineMs;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`condition not met within ${deadlineMs} ms: ${String(condition)}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
