import type { Random } from '@heliograph/bench-data';
import { ProviderSimulator } from '@heliograph/simulators';
import type { EventRecorder } from '../event-recorder';
import type { LoadSource } from '../workload';
import { CALL_TIMEOUT_MS, ProviderFaultInjector } from './provider-fault-injector';
import { RecipientWorkload } from './recipient-workload';
import { INITIAL_BALANCES } from './seed-chatapp';
import { SendWorkload, TEMPLATES } from './send-workload';
import { StatusWorkload } from './status-workload';
import { WebhookWorkload } from './webhook-workload';

/** Starts a provider with the templates of a run. */
export async function startProvider(): Promise<ProviderSimulator> {
  const provider = new ProviderSimulator({ keepRequests: false });
  await provider.start();
  for (const [category, name] of Object.entries(TEMPLATES))
    provider.reviewTemplate(name, { status: 'APPROVED', category });
  return provider;
}

/** The config of the services that send and receive chats. */
export function chatappConfig({ url, account }: ProviderSimulator): Record<string, string> {
  return {
    CHATAPP_ACCESS_TOKEN: account.accessToken,
    CHATAPP_PHONE_NUMBER_ID: account.phoneNumberId,
    CHATAPP_BUSINESS_ACCOUNT_ID: account.businessAccountId,
    CHATAPP_PRODUCT: account.product,
    CHATAPP_APP_SECRET: account.appSecret,
    CHATAPP_GRAPH_URL: url,
    CHATAPP_TIMEOUT_MS: String(CALL_TIMEOUT_MS),
    CHATAPP_SETTLE_AFTER_MS: '5000',
    // The rate of a real account. A limit per recipient is off, as by default, because a few recipients get many messages here.
    CHATAPP_MESSAGES_PER_SECOND: '80',
  };
}

interface ChatappOptions {
  provider: ProviderSimulator;
  /** The replicas of chatapp-api. */
  apiUrls: readonly string[];
  hookUrl: string;
  events: EventRecorder;
  workspaceIds: readonly string[];
  random: Random;
}

/** The chat load of a run: senders, recipients who answer, and the provider's statuses, webhooks and faults. */
export class ChatappWorkload implements LoadSource {
  readonly provider: ProviderSimulator;
  readonly events: EventRecorder;
  readonly workspaceIds: readonly string[];
  readonly webhooks: WebhookWorkload;
  readonly recipients: RecipientWorkload;
  readonly statuses: StatusWorkload;
  readonly sends: SendWorkload;
  private readonly faults: ProviderFaultInjector;

  constructor({ provider, apiUrls, hookUrl, events, workspaceIds, random }: ChatappOptions) {
    provider.hookUrl = `${hookUrl}/api/chatapp/webhook`;
    this.provider = provider;
    this.events = events;
    this.workspaceIds = workspaceIds;
    this.webhooks = new WebhookWorkload(provider).start();
    this.recipients = new RecipientWorkload(this.webhooks, INITIAL_BALANCES.length).start();
    this.statuses = new StatusWorkload(provider, this.webhooks).start();
    this.sends = new SendWorkload(apiUrls, this.recipients.recipients).start();
    this.faults = new ProviderFaultInjector(provider, random).start();
  }

  get retries(): number {
    return this.sends.retries + this.webhooks.retries;
  }

  /** The webhooks of the provider follow the sends and the messages of the recipients. */
  slowDown(pauseMs: number): void {
    this.sends.slowDown(pauseMs);
    this.recipients.slowDown(pauseMs);
  }

  async stop(): Promise<void> {
    await this.faults.stop();
    await Promise.all([this.sends.stop(), this.recipients.stop()]);
    await this.statuses.stop();
    await this.webhooks.stop();
  }

  summary(): string {
    const { accepted } = this.provider.totals;
    return `${this.sends.answered.size} chats accepted, ${accepted} at the provider, ${this.recipients.written.length} inbound`;
  }
}
