import { chatappCatalogEntities, ChatappConsent, ChatappConsents, ChatappTemplate } from '@heliograph/chatapp-catalog';
import { recordInbound, recordStatuses, type InboundRow } from '@heliograph/chatapp-messages';
import { balanceOf } from '@heliograph/credits';
import { newId, poolOf, type MigrationSet } from '@heliograph/database';
import { ProviderSimulator } from '@heliograph/simulators';
import {
  createTestDatabase,
  httpCall,
  perWorker,
  startTestService,
  TenantFactory,
  unique,
  type HttpResponse,
  type HttpCallOptions,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import { chatappApi } from '../src/chatapp-api.service';

/** An organization that can send: a workspace with credits, and a key. */
export interface ChatappTenant {
  organizationId: string;
  workspaceId: string;
  key: string;
}

/** The complete chat-app service on real servers, with a simulated provider. */
export class ChatappFixture {
  /** The service with its default environment, shared by the test files of a worker. */
  static readonly shared = perWorker(
    () => ChatappFixture.start(),
    (fixture) => fixture.stop(),
  );

  private constructor(
    readonly database: TestDatabase,
    readonly tenants: TenantFactory,
    readonly provider: ProviderSimulator,
    public service: TestService,
    readonly environment: Record<string, string>,
  ) {}

  static async start(
    options: {
      environment?: Record<string, string> | ((databaseUrl: string) => Record<string, string>);
    } = {},
  ): Promise<ChatappFixture> {
    const database = await createTestDatabase(chatappApi.migrations as MigrationSet[]);
    const tenants = await TenantFactory.connect(database.url, chatappCatalogEntities);
    const provider = new ProviderSimulator();
    await provider.start();
    const environment = {
      ...chatappEnvironment(provider),
      ...(typeof options.environment === 'function' ? options.environment(database.url) : options.environment),
    };
    const service = await startTestService(chatappApi, database.url, environment);
    return new ChatappFixture(database, tenants, provider, service, environment);
  }

  /** Starts a second process with the same database and provider. Stop only its `service`. */
  async beside(environment: Record<string, string> = {}): Promise<ChatappFixture> {
    const own: Record<string, string> = { ...this.environment, ...environment, AMQP_PREFIX: this.service.amqpPrefix };
    const service = await startTestService(chatappApi, own['DATABASE_URL'] ?? this.database.url, own);
    return new ChatappFixture(this.database, this.tenants, this.provider, service, own);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.provider.stop();
    await this.tenants.close();
    await this.database.drop();
  }

  get url(): string {
    return this.service.url;
  }

  /** Creates a separate tenant, so that tests do not affect each other. */
  async tenant(
    overrides: { credits?: number; key?: Parameters<TenantFactory['key']>[1]; ipAllowlist?: string[] } = {},
  ): Promise<ChatappTenant> {
    const organization = await this.tenants.organization({ ipAllowlist: overrides.ipAllowlist ?? [] });
    const credits = { chatapp: overrides.credits ?? 10_000 };
    const workspace = await this.tenants.workspace(organization.id, { credits });
    const key = await this.tenants.key(organization.id, overrides.key);
    return { organizationId: organization.id, workspaceId: workspace.id, key };
  }

  call<Body = Record<string, unknown>>(path: string, options: HttpCallOptions = {}): Promise<HttpResponse<Body>> {
    return httpCall(`${this.url}${path}`, options);
  }

  /** Sends a `POST` request; a body that is neither text nor bytes is sent as JSON. */
  post<Body = Record<string, unknown>>(
    key: string | null,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<HttpResponse<Body>> {
    return this.call(path, { method: 'POST', key, headers, json: body });
  }

  send(tenant: ChatappTenant, body: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> {
    return this.post(tenant.key, '/chatapp/send', body, headers);
  }

  /** Simulates an inbound message: opens the window at the provider, and stores the effect of the webhook. */
  async inbound(number: string, more: Partial<InboundRow> & { text?: string; at?: Date } = {}): Promise<string> {
    const { text = 'hello', at = new Date(), ...row } = more;
    const message = { type: row.type ?? 'text', text: { body: text } };
    const received = this.provider.receive({ from: number, message, timestamp: Math.floor(at.getTime() / 1000) });
    await recordInbound(poolOf(this.tenants.dataSource), [
      {
        id: newId(),
        upstream_id: received.id,
        phone_number_id: this.provider.account.phoneNumberId,
        sender: number,
        recipient: `+${this.provider.account.displayPhoneNumber}`,
        type: 'text',
        occurred_at: at.toISOString(),
        media_id: null,
        keyword_status: null,
        keyword_source: null,
        keyword_text: null,
        payload: message,
        ...row,
      },
    ]);
    return received.id;
  }

  /** Returns a number that has just sent a message, unique within the test file. */
  async openNumber(): Promise<string> {
    const number = newNumber();
    await this.inbound(number);
    return number;
  }

  /** Records a status of a sent message in the same way as the receiver. */
  async status(
    upstreamId: string,
    status: 'sent' | 'delivered' | 'read' | 'failed',
    callbackId?: string,
  ): Promise<void> {
    const failed = status === 'failed';
    await recordStatuses(poolOf(this.tenants.dataSource), [
      {
        upstream_id: upstreamId,
        callback_id: callbackId ?? null,
        status,
        occurred_at: new Date().toISOString(),
        error: failed ? 'Message undeliverable' : null,
        error_code: failed ? 131026 : null,
      },
    ]);
  }

  async consent(organizationId: string, number: string, status: 'opted_in' | 'opted_out'): Promise<void> {
    const consents = new ChatappConsents(this.tenants.dataSource.getRepository(ChatappConsent));
    await this.tenants.dataSource.transaction((transaction) =>
      consents.record(transaction, organizationId, { number, status, source: 'test' }, null),
    );
  }

  /**
   * Creates a template that the provider has approved and that is mirrored; it belongs to an organization or is
   * shared.
   */
  async template(
    organizationId: string | null,
    details: { name?: string; category?: 'marketing' | 'utility' | 'authentication'; body?: string } = {},
  ): Promise<string> {
    const { name = `t_${unique()}`, category = 'marketing', body = 'Hi' } = details;
    const components = [{ type: 'BODY', text: body }];
    // The category of the catalog determines the price; the provider also requires a code in an authentication
    // template.
    this.provider.reviewTemplate(name, { status: 'APPROVED', language: 'en_US', category: 'utility', components });
    const [account] = await this.rows<{ id: string }>("SELECT id FROM chatapp.accounts WHERE owner_type = 'platform'");
    const repository = this.tenants.dataSource.getRepository(ChatappTemplate);
    await repository.insert({
      id: newId(),
      accountId: account?.id ?? newId(),
      organizationId,
      name,
      language: 'en_US',
      category,
      status: 'APPROVED',
      components,
      upstreamId: unique(),
    });
    return name;
  }

  balance(workspaceId: string): Promise<number> {
    return balanceOf(poolOf(this.tenants.dataSource), workspaceId, 'chatapp');
  }

  /** Queries the tables of the service. */
  async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await poolOf(this.tenants.dataSource).query<T>(sql, values)).rows;
  }
}

/** Returns the environment of the service with a simulated provider. */
export function chatappEnvironment(provider: ProviderSimulator): Record<string, string> {
  const { accessToken, phoneNumberId, businessAccountId } = provider.account;
  return {
    CHATAPP_GRAPH_URL: provider.url,
    CHATAPP_ACCESS_TOKEN: accessToken,
    CHATAPP_PHONE_NUMBER_ID: phoneNumberId,
    CHATAPP_BUSINESS_ACCOUNT_ID: businessAccountId,
    CHATAPP_TIMEOUT_MS: '4000',
    PUBLIC_BASE_URL: 'https://api.heliograph.example',
  };
}

let numbers = 0;

/** Returns an Indian mobile number that is unique within the test file. */
export function newNumber(): string {
  numbers += 1;
  return `+9198${String(10_000_000 + (process.pid % 1_000) * 10_000 + numbers)}`;
}
