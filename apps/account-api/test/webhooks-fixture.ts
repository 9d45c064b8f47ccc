import { smsDelivered } from '@heliograph/contracts';
import { poolOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { until } from '@heliograph/testing';
import { Clock, Dispatcher } from '@heliograph/webhooks';
import { AccountFixture, LOOPBACK_WEBHOOKS, type Answer, type Tenant } from './account-fixture';
import { storeSms } from './stored-messages';
import { WebhookReceiver } from './webhook-receiver';

export interface Webhook {
  id: string;
  url: string;
  events: string[];
  status: string;
  active: boolean;
  disabled_reason: string | null;
  secret: string;
}

export interface LoggedDelivery {
  id: string;
  event_id: string;
  event_type: string;
  status: string;
  attempts: { at: string; status_code: number | null; error: string | null; response_body: string | null }[];
  next_attempt_at: string | null;
}

/** Runs account-api with deliveries to loopback addresses allowed, and a webhook receiver. */
export class WebhooksFixture {
  private constructor(
    readonly account: AccountFixture,
    readonly receiver: WebhookReceiver,
    readonly tenant: Tenant,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<WebhooksFixture> {
    return WebhooksFixture.on(await AccountFixture.start({ ...LOOPBACK_WEBHOOKS, ...environment }));
  }

  /** The service that the test files of a worker share, with a receiver and a tenant for the caller. Stop only the receiver. */
  static async shared(): Promise<WebhooksFixture> {
    return WebhooksFixture.on(await AccountFixture.shared());
  }

  /** A receiver and a tenant on a service that allows deliveries to loopback addresses. */
  static async on(account: AccountFixture): Promise<WebhooksFixture> {
    const receiver = new WebhookReceiver();
    await receiver.start();
    return new WebhooksFixture(account, receiver, await account.tenant());
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
    await this.account.stop();
  }

  call<T = Answer>(method: string, path: string, body?: object, { key } = this.tenant): Promise<T> {
    return this.account.v1<T>(method, `/api/v1/${path}`, { key, body });
  }

  async create(path: string, events: string[] = ['*'], more: object = {}, tenant = this.tenant): Promise<Webhook> {
    const body = { url: `${this.receiver.url}${path}`, events, ...more };
    const answer = await this.call<Webhook>('POST', 'webhooks', body, tenant);
    if (!('secret' in answer)) throw new Error(JSON.stringify(answer));
    return answer;
  }

  get(id: string): Promise<Webhook> {
    return this.call<Webhook>('GET', `webhooks/${id}`);
  }

  async logs(id: string, query = ''): Promise<LoggedDelivery[]> {
    return (await this.call<{ data: LoggedDelivery[] }>('GET', `webhooks/${id}/logs?${query}`)).data;
  }

  /** Publishes `sms.delivered` of a stored message on the bus. */
  async publish(tenant = this.tenant, id?: string): Promise<string> {
    const event = await this.smsDelivered(tenant, id);
    await this.emit(event);
    return event.data.messageId;
  }

  /** Of a new message, or of the message with this id. */
  async smsDelivered(tenant = this.tenant, id?: string) {
    const messageId = id ?? (await storeSms(this.account, tenant.organizationId, tenant.workspace.id));
    const at = new Date().toISOString();
    const { organizationId, workspace } = tenant;
    const about = { organizationId, workspaceId: workspace.id, correlationId: null };
    return composeEvent(smsDelivered, {
      ...about,
      data: { messageId, to: '+919811111111', carrier: 'one', deliveredAt: at },
    });
  }

  async emit(...events: Parameters<typeof addToOutbox>[1]): Promise<void> {
    const client = await poolOf(this.account.factory.dataSource).connect();
    try {
      await addToOutbox(client, events);
    } finally {
      client.release();
    }
  }

  advance(ms: number): void {
    this.account.service.app.get(Clock, { strict: false }).advance(ms);
    this.account.service.app.get(Dispatcher, { strict: false }).wake();
  }

  get dispatcher(): Dispatcher {
    return this.account.service.app.get(Dispatcher, { strict: false });
  }

  attempted(id: string, count: number): Promise<true> {
    return until(`${count} attempts`, async () => (await this.logs(id))[0]?.attempts.length === count);
  }
}
