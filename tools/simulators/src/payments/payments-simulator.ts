import { randomBytes } from 'node:crypto';
import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/signatures';

const API_VERSION = '2026-01-01';
const EVENTS_KEPT = 1_000;
const ANSWER_TIMEOUT_MS = 10_000;

export interface PaymentsSimulatorOptions {
  /** Where events are posted to; a function where the receiver starts later and has a port only then. */
  hookUrl: string | (() => string);
  /** The whole signing secret. */
  secret: string;
}

export interface PaymentEventInput {
  /** Such as `invoice.payment_failed`. */
  type: string;
  /** What the event is about, as the processor shows it. */
  object: Readonly<Record<string, unknown>>;
  /** Left out, each event has an id of its own. */
  id?: string;
  /** Unix seconds; left out, now. */
  created?: number;
}

export interface HookAnswer {
  status: number;
  /** Parsed JSON; the text itself where it is none. */
  body: unknown;
}

export interface SentEvent extends HookAnswer {
  event: Readonly<Record<string, unknown>>;
}

/** A payment processor: tells the receiver of events, with signatures of the moment in which they are sent. */
export class PaymentsSimulator {
  private readonly sent: SentEvent[] = [];

  constructor(private readonly options: PaymentsSimulatorOptions) {}

  /** Signs an event, posts it and gives back the answer. Rejects when there is none. */
  async send(input: PaymentEventInput): Promise<HookAnswer> {
    const event = eventOf(input);
    const rawBody = Buffer.from(JSON.stringify(event));
    const { hookUrl, secret } = this.options;
    const response = await fetch(typeof hookUrl === 'function' ? hookUrl() : hookUrl, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        [PROCESSOR_SIGNATURE_HEADER]: signProcessorPayload(rawBody, secret, nowSeconds()),
      },
      body: rawBody,
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
    });
    const answer = { status: response.status, body: parsed(await response.text()) };
    this.sent.push({ event, ...answer });
    if (this.sent.length > EVENTS_KEPT) this.sent.shift();
    return answer;
  }

  /** The last thousand that were answered, newest last. */
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
