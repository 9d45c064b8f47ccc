import { chatappCatalogEntities } from '@heliograph/chatapp-catalog';
import { acceptMessages, recordAnswers } from '@heliograph/chatapp-messages';
import type { EventEnvelope } from '@heliograph/contracts';
import { newId, poolOf } from '@heliograph/database';
import { signHub } from '@heliograph/secrets';
import {
  camelCased,
  createTestDatabase,
  httpCall,
  perWorker,
  startTestService,
  tapEvents,
  TenantFactory,
  unique,
  type EventTap,
  type HttpResponse,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import { chatappHook } from '../src/chatapp-hook.service';

export const SECRET = 'app_secret_of_this_test';
export const TOKEN = 'verify token of this test';
export const PATH = '/api/chatapp/webhook';
export const PHONE_NUMBER_ID = '106540352242922';
export const DISPLAY_NUMBER = '+1 555-078-3881';

export interface Tenant {
  organizationId: string;
  workspaceId: string;
}

export interface Sent {
  id: string;
  upstreamId: string;
  /** A plus sign and digits. */
  number: string;
}

export interface StoredMessage extends Record<string, unknown> {
  id: string;
  status: string;
}

export interface PostOptions {
  /** `null` if there is none. */
  signature?: string | null;
  url?: string;
  headers?: Record<string, string>;
}

type Json = Record<string, unknown>;
type Environment = Record<string, string>;

/** The complete webhook receiver on real servers, with a subscriber to its events. */
export class HookFixture {
  /** The service with its default environment, shared by the test files of a worker. */
  static readonly shared = perWorker(
    () => HookFixture.start(),
    (fixture) => fixture.stop(),
  );

  private constructor(
    private readonly database: TestDatabase,
    private readonly tenants: TenantFactory,
    private readonly amqpPrefix: string,
    private readonly tap: EventTap,
    readonly service: TestService,
    private readonly environment: Environment,
  ) {}

  static async start(environment: Environment | ((databaseUrl: string) => Environment) = {}): Promise<HookFixture> {
    const database = await createTestDatabase(chatappHook.migrations);
    const tenants = await TenantFactory.connect(database.url, chatappCatalogEntities);
    const amqpPrefix = `test-${process.pid}-${unique()}.`;
    const tap = await tapEvents(amqpPrefix);
    const all = {
      AMQP_PREFIX: amqpPrefix,
      CHATAPP_APP_SECRET: SECRET,
      CHATAPP_VERIFY_TOKEN: TOKEN,
      CHATAPP_PHONE_NUMBER_ID: PHONE_NUMBER_ID,
      CHATAPP_BUSINESS_ACCOUNT_ID: '102290129340398',
      ...(typeof environment === 'function' ? environment(database.url) : environment),
    };
    const service = await startTestService(chatappHook, database.url, all);
    return new HookFixture(database, tenants, amqpPrefix, tap, service, all);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.tap.close();
    await this.tenants.close();
    await this.database.drop();
  }

  /** Starts another process of the service; the caller stops it. */
  beside(environment: Environment = {}): Promise<TestService> {
    return startTestService(chatappHook, this.database.url, { ...this.environment, ...environment });
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await poolOf(this.tenants.dataSource).query(text, values)).rows as Row[];
  }

  async tenant(): Promise<Tenant> {
    const { id: organizationId } = await this.tenants.organization();
    const workspace = await this.tenants.workspace(organizationId, { credits: { chatapp: 100_000 } });
    return { organizationId, workspaceId: workspace.id };
  }

  /** Stores a send that the provider has accepted; without `answered`, its response has not been stored yet. */
  async send(tenant: Tenant, { number = newNumber(), answered = true } = {}): Promise<Sent> {
    const sent = { id: newId(), upstreamId: newUpstreamId(), number };
    const pool = poolOf(this.tenants.dataSource);
    const [result] = await acceptMessages(pool, [
      {
        id: sent.id,
        entry_id: newId(),
        organization_id: tenant.organizationId,
        workspace_id: tenant.workspaceId,
        account_id: await this.accountId(),
        recipient: number,
        sender: '+15550783881',
        type: 'template',
        template_name: 'welcome',
        category: 'marketing',
        price: 100,
        currency: 'INR',
        needs_window: false,
        is_free_in_window: false,
        monthly_limit: null,
        correlation_id: null,
        key_id: null,
        client_address: null,
      },
    ]);
    if (result?.outcome !== 'posted') throw new Error(`the send ended as ${result?.outcome}`);
    if (answered) await this.answer(sent);
    return sent;
  }

  async answer({ id, upstreamId }: Sent): Promise<void> {
    await recordAnswers(poolOf(this.tenants.dataSource), [
      {
        id,
        entry_id: newId(),
        upstream_id: upstreamId,
        upstream_number: null,
        error: null,
        error_code: null,
        is_presumed: false,
      },
    ]);
  }

  /** Posts the body with a valid signature unless another one is given. */
  async post(
    body: string | Buffer | object,
    { signature, url = this.service.url, headers = {} }: PostOptions = {},
  ): Promise<HttpResponse> {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    const signed = signature === undefined ? signHub(SECRET, bytes) : signature;
    return httpCall(`${url}${PATH}`, {
      method: 'POST',
      headers: { ...(signed === null ? {} : { 'X-Hub-Signature-256': signed }), ...headers },
      json: bytes,
    });
  }

  /** Posts a payload that must be accepted. */
  async take(body: object, options: PostOptions = {}): Promise<void> {
    const { status, text } = await this.post(body, options);
    if (status !== 200 || text !== '{"ok":true}') throw new Error(`the call returned ${status} ${text}`);
  }

  /** Returns the stored messages with a provider id. */
  async inbound(upstreamId: string): Promise<StoredMessage[]> {
    const rows = await this.query<object>(
      `SELECT * FROM chatapp.messages WHERE upstream_id = $1 AND direction = 'inbound'`,
      [upstreamId],
    );
    return rows.map((row) => camelCased(row));
  }

  async message(id: string): Promise<StoredMessage> {
    const [row] = await this.query<object>('SELECT * FROM chatapp.messages WHERE id = $1', [id]);
    return camelCased(row ?? {});
  }

  /** Returns status and source, or null without a record. */
  async consent({ organizationId }: Tenant, number: string): Promise<[string, string] | null> {
    const [row] = await this.query<{ status: string; source: string }>(
      'SELECT status, source FROM chatapp.consents WHERE organization_id = $1 AND number = $2',
      [organizationId, number],
    );
    return row ? [row.status, row.source] : null;
  }

  /** Returns the events published so far. */
  events(type: string): EventEnvelope<Json>[] {
    return this.tap.events.filter((event): event is EventEnvelope<Json> => event.type === type);
  }

  /** Stores an account in the same way as the service does from its configuration. */
  private async accountId(): Promise<string> {
    const read = () =>
      this.query<{ id: string }>('SELECT id FROM chatapp.accounts WHERE phone_number_id = $1', [PHONE_NUMBER_ID]);
    if ((await read()).length === 0) await this.take(envelope({ messages: [textFrom(newNumber())] }));
    return (await read())[0]!.id;
  }
}

export function envelope(value: Json, { object = 'chatapp_business_account', field = 'messages' } = {}): Json {
  const metadata = { display_phone_number: DISPLAY_NUMBER, phone_number_id: PHONE_NUMBER_ID };
  const change = { field, value: { messaging_product: 'chatapp', metadata, ...value } };
  return { object, entry: [{ id: '102290129340398', changes: [change] }] };
}

export function textFrom(number: string, body = 'hello', more: Json = {}): Json & { id: string } {
  return {
    from: number.replace('+', ''),
    id: newUpstreamId(),
    timestamp: String(nowSeconds()),
    type: 'text',
    text: { body },
    ...more,
  };
}

export function statusOf({ id, upstreamId, number }: Sent, status: string, more: Json = {}): Json {
  return {
    id: upstreamId,
    status,
    timestamp: String(nowSeconds()),
    recipient_id: number.replace('+', ''),
    biz_opaque_callback_data: id,
    ...more,
  };
}

export function newUpstreamId(): string {
  return `wamid.${unique()}`;
}

/** Returns a number that is unique within the test file. */
export function newNumber(): string {
  return `+91${parseInt(unique(), 16)}`.slice(0, 14);
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
