import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { PROCESSOR_SIGNATURE_HEADER, signProcessorPayload } from '@heliograph/secrets';
import type { ProviderSimulator } from '@heliograph/simulators';
import { PROCESSOR_SECRET } from './deployment';

const PAUSE_MS = 150;
const CALL_TIMEOUT_MS = 60_000;

export interface ReleaseLoadOptions {
  gatewayUrl: string;
  key: string;
  provider: ProviderSimulator;
}

interface Call {
  channel: string;
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  headers?: Record<string, string>;
}

/**
 * Calls on every channel through the gateway, each exactly once: a client that does not retry. Every response that is not 2xx and every
 * broken connection is a failure.
 */
export class ReleaseLoad {
  readonly failures: string[] = [];
  /** Accepted messages, by the numbers and addresses that identify them at the upstreams. */
  readonly sms: string[] = [];
  readonly mails: string[] = [];
  readonly chats: string[] = [];
  readonly counts = new Map<string, number>();
  slowestMs = 0;
  private isStopped = false;
  private lanes: Promise<void>[] = [];
  private number = 0;

  constructor(private readonly options: ReleaseLoadOptions) {}

  start(): this {
    const channels = [
      () => this.sendSms(),
      () => this.sendSmsByGet(),
      () => this.sendMail(),
      () => this.chat(),
      () => this.converse(),
      () => this.payment(),
      () => this.read(),
      () => this.writeContact(),
    ];
    this.lanes = channels.map(async (run) => {
      while (!this.isStopped) {
        await run();
        await delay(PAUSE_MS);
      }
    });
    return this;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    await Promise.all(this.lanes);
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  private async sendSms(): Promise<void> {
    const to = `+9198${this.next()}`;
    const body = JSON.stringify({
      from: 'DEMOIN',
      to,
      template: 'otp',
      variables: { code: '123456' },
    });
    const call = { channel: 'sms', method: 'POST', path: '/sms/send', body } as const;
    if (await this.call({ ...call, headers: { 'idempotency-key': randomUUID() } })) this.sms.push(to.slice(1));
  }

  private async sendSmsByGet(): Promise<void> {
    const to = `9197${this.next()}`;
    const path = `/sms/send?from=DEMOIN&to=%2B${to}&template=otp&var.code=123456`;
    if (await this.call({ channel: 'sms by GET', method: 'GET', path })) this.sms.push(to);
  }

  private async sendMail(): Promise<void> {
    const to = `person-${this.next()}@elsewhere.example`;
    const body = JSON.stringify({
      from: 'hello@demo.example',
      to: [to],
      template: 'welcome',
      variables: { name: 'Ann' },
    });
    if (await this.call({ channel: 'email', method: 'POST', path: '/email/send', body })) this.mails.push(to);
  }

  /** An inbound message opens the window, then the answer is sent. */
  private async chat(): Promise<void> {
    const number = `9196${this.next()}`;
    if (!(await this.inbound(number))) return;
    // The window opens when the inbound message is processed, a moment after it was acknowledged.
    await delay(2_000);
    const body = JSON.stringify({ to: `+${number}`, type: 'text', text: `Hello ${number}` });
    if (await this.call({ channel: 'chat-app', method: 'POST', path: '/chatapp/send', body })) this.chats.push(number);
  }

  /** The simulator posts the webhook, because it has to know the window too. */
  private async inbound(number: string): Promise<boolean> {
    const message = { type: 'text', text: 'Hello?' };
    return this.attempt('chat-app webhook', async () => {
      const { status, body } = await this.options.provider.postUpdates([{ from: `+${number}`, message }]);
      return { isAccepted: status === 200, text: `${status} ${JSON.stringify(body)}` };
    });
  }

  private async converse(): Promise<void> {
    const body = JSON.stringify({ botId: 'bot_acme_help', message: 'What are your opening hours?' });
    await this.call({ channel: 'bots', method: 'POST', path: '/api/v1/chat/conversations', body });
    await delay(1_000);
  }

  private async payment(): Promise<void> {
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      object: 'event',
      type: 'customer.updated',
      created: Math.floor(Date.now() / 1_000),
      data: { object: { id: 'cus_demo', object: 'customer' } },
    });
    const headers = {
      [PROCESSOR_SIGNATURE_HEADER]: signProcessorPayload(body, PROCESSOR_SECRET, Math.floor(Date.now() / 1_000)),
    };
    await this.call({ channel: 'payments', method: 'POST', path: '/api/webhooks/payments', body, headers });
  }

  private async read(): Promise<void> {
    await this.call({ channel: 'reads', method: 'GET', path: '/api/v1/contacts?limit=5' });
    await this.call({ channel: 'reads', method: 'GET', path: '/bots/widget.js' });
  }

  private async writeContact(): Promise<void> {
    const body = JSON.stringify({ email: `contact-${this.next()}@elsewhere.example` });
    const headers = { 'idempotency-key': randomUUID() };
    await this.call({ channel: 'contacts', method: 'POST', path: '/api/v1/contacts', body, headers });
    await delay(500);
  }

  private next(): string {
    return String(10_000_000 + this.number++);
  }

  private call({ channel, method, path, body, headers = {} }: Call): Promise<boolean> {
    return this.attempt(channel, async () => {
      const response = await fetch(`${this.options.gatewayUrl}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${this.options.key}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      return { isAccepted: response.ok, text: `${response.status} ${await response.text()}` };
    });
  }

  private async attempt(channel: string, run: () => Promise<{ isAccepted: boolean; text: string }>): Promise<boolean> {
    const startedAt = performance.now();
    this.counts.set(channel, (this.counts.get(channel) ?? 0) + 1);
    let problem: string;
    try {
      const { isAccepted, text } = await run();
      this.slowestMs = Math.max(this.slowestMs, performance.now() - startedAt);
      if (isAccepted) return true;
      problem = text;
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      problem = cause instanceof Error ? cause.message : String(cause);
    }
    this.failures.push(`${new Date().toISOString()} ${channel}: ${problem.slice(0, 200)}`);
    return false;
  }
}
