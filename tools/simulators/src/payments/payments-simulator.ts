import { randomBytes } from 'node:crypto';
import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/secrets';
import { postJson, type HookAnswer } from '../http-post';
import { CheckoutStore } from './checkout-store';
import type { PaymentEventInput } from './payment-event';

const API_VERSION = '2026-01-01';
const EVENTS_KEPT = 1_000;

export interface PaymentsSimulatorOptions {
  /** The URL of webhooks; a function if the receiver starts later. */
  hookUrl: string | (() => string);
  /** The signing secret. */
  secret: string;
  /** The header of the signature; the default is that of the contract. */
  signatureHeader?: string;
}

export interface SentEvent extends HookAnswer {
  event: Readonly<Record<string, unknown>>;
}

/** A payment processor that posts signed events to a webhook receiver. */
export class PaymentsSimulator {
  readonly checkouts = new CheckoutStore();
  private readonly sent: SentEvent[] = [];

  constructor(private readonly options: PaymentsSimulatorOptions) {}

  /** Signs and posts an event. Resolves with the answer; rejects if there is none. */
  async send(input: PaymentEventInput): Promise<HookAnswer> {
    const event = eventOf(input);
    const rawBody = Buffer.from(JSON.stringify(event));
    const { hookUrl, secret, signatureHeader = PROCESSOR_SIGNATURE_HEADER } = this.options;
    const url = typeof hookUrl === 'function' ? hookUrl() : hookUrl;
    const answer = await postJson(url, rawBody, {
      [signatureHeader]: signProcessorPayload(rawBody, secret, nowSeconds()),
    });
    this.sent.push({ event, ...answer });
    if (this.sent.length > EVENTS_KEPT) this.sent.shift();
    return answer;
  }

  /** The last thousand answered events, newest last. */
  events(): readonly SentEvent[] {
    return this.sent;
  }
}

function eventOf({ type, object, id, created }: PaymentEventInput): Record<string, unknown> {
  return {
    id: id ?? `evt_${randomBytes(12).toString('hex')}`,
    object: 'event',
    api_version: API_VERSION,
    created: created ?? nowSeconds(),
    data: { object },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
