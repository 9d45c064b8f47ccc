import { chatappCatalogEntities } from '@heliograph/chatapp-catalog';
import { creditsMigrations, post } from '@heliograph/credits';
import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations } from '@heliograph/messaging';
import { camelCased, createTestDatabase, unique, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import { chatappMigrations } from './migration-set';
import type { AcceptanceRow, AnswerRow, InboundRow, StatusRow } from './rows';
import { acceptMessages, recordAnswers } from './write-messages';

export interface Tenant {
  organizationId: string;
  workspaceId: string;
}

export interface Sent extends Tenant {
  id: string;
  upstreamId: string;
  recipient: string;
}

export interface TestEvent {
  type: string;
  organizationId: string | null;
  workspaceId: string | null;
  correlationId: string | null;
  time: string;
  data: Record<string, unknown>;
}

export interface StoredMessage extends Record<string, unknown> {
  organizationId: string | null;
  isCharged: boolean;
}

/** The chatapp schema in a separate database with one account, and helpers to send and to receive. */
export class MessagesFixture {
  readonly accountId = newId();
  readonly phoneNumberId = `phone-${unique()}`;

  private constructor(
    readonly database: TestDatabase,
    private readonly dataSource: DataSource,
    readonly pool: Pool,
  ) {}

  static async start(): Promise<MessagesFixture> {
    const database = await createTestDatabase([
      messagingMigrations,
      creditsMigrations,
      idempotencyMigrations,
      chatappMigrations,
    ]);
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 12 });
    const dataSource = await createDataSource(config, 'messages fixture', chatappCatalogEntities).initialize();
    const fixture = new MessagesFixture(database, dataSource, poolOf(dataSource));
    await fixture.query(`INSERT INTO chatapp.accounts (id, owner_type, phone_number_id) VALUES ($1, 'platform', $2)`, [
      fixture.accountId,
      fixture.phoneNumberId,
    ]);
    return fixture;
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  async query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.pool.query(text, values)).rows as Row[];
  }

  /** Creates a tenant with the given credits. */
  async tenant(credits = 1_000): Promise<Tenant> {
    const tenant = { organizationId: newId(), workspaceId: newId() };
    await post(this.pool, [
      {
        ...tenant,
        creditType: 'chatapp',
        kind: 'topup',
        amount: credits,
        reference: `test:${newId()}`,
        correlationId: null,
      },
    ]);
    return tenant;
  }

  acceptance(tenant: Tenant, more: Partial<AcceptanceRow> = {}): AcceptanceRow {
    return {
      id: newId(),
      entry_id: newId(),
      organization_id: tenant.organizationId,
      workspace_id: tenant.workspaceId,
      account_id: this.accountId,
      recipient: newNumber(),
      sender: '+15550783881',
      type: 'template',
      template_name: 'welcome',
      category: 'marketing',
      price: 100,
      currency: 'INR',
      needs_window: false,
      is_free_in_window: false,
      monthly_limit: null,
      correlation_id: 'call-1',
      key_id: null,
      client_address: null,
      ...more,
    };
  }

  answer(id: string, more: Partial<AnswerRow> = {}): AnswerRow {
    return {
      id,
      entry_id: newId(),
      upstream_id: `wamid.${unique()}`,
      upstream_number: null,
      error: null,
      error_code: null,
      is_presumed: false,
      ...more,
    };
  }

  /** Creates a send that was charged and has no response yet. */
  async accepted(tenant: Tenant, more: Partial<AcceptanceRow> = {}): Promise<Sent> {
    const row = this.acceptance(tenant, more);
    const [result] = await acceptMessages(this.pool, [row]);
    if (result?.outcome !== 'posted') throw new Error(`the send ended as ${result?.outcome}`);
    return { ...tenant, id: row.id, upstreamId: `wamid.${unique()}`, recipient: row.recipient };
  }

  /** Creates a send that the provider has accepted. */
  async sent(tenant: Tenant, more: Partial<AcceptanceRow> = {}, answer: Partial<AnswerRow> = {}): Promise<Sent> {
    const send = await this.accepted(tenant, more);
    await recordAnswers(this.pool, [this.answer(send.id, { upstream_id: send.upstreamId, ...answer })]);
    return send;
  }

  /** Creates a number that the tenants have messaged, in this order. */
  async written(...tenants: Tenant[]): Promise<string> {
    const recipient = newNumber();
    for (const tenant of tenants) await this.sent(tenant, { recipient });
    return recipient;
  }

  status(sent: Sent, status: StatusRow['status'], more: Partial<StatusRow> = {}): StatusRow {
    return {
      upstream_id: sent.upstreamId,
      callback_id: sent.id,
      status,
      occurred_at: '2026-11-20T10:00:00.000Z',
      error: null,
      error_code: null,
      ...more,
    };
  }

  inbound(sender: string, more: Partial<InboundRow> = {}): InboundRow {
    return {
      id: newId(),
      upstream_id: `wamid.${unique()}`,
      phone_number_id: this.phoneNumberId,
      sender,
      recipient: '+15550783881',
      type: 'text',
      occurred_at: '2026-11-20T10:00:00.000Z',
      media_id: null,
      keyword_status: null,
      keyword_source: null,
      keyword_text: null,
      payload: { text: { body: 'hello' } },
      ...more,
    };
  }

  saysStop(sender: string, more: Partial<InboundRow> = {}): InboundRow {
    return this.inbound(sender, { keyword_status: 'opted_out', keyword_source: 'keyword_stop', ...more });
  }

  saysStart(sender: string, more: Partial<InboundRow> = {}): InboundRow {
    return this.inbound(sender, { keyword_status: 'opted_in', keyword_source: 'keyword_start', ...more });
  }

  async message(id: string): Promise<StoredMessage> {
    const [row] = await this.query<object>('SELECT * FROM chatapp.messages WHERE id = $1', [id]);
    return camelCased(row ?? {});
  }

  /** Returns the status and its source, or null without a record. */
  async consent(organizationId: string, number: string): Promise<[string, string] | null> {
    const [row] = await this.query<{ status: string; source: string }>(
      'SELECT status, source FROM chatapp.consents WHERE organization_id = $1 AND number = $2',
      [organizationId, number],
    );
    return row ? [row.status, row.source] : null;
  }

  async balance({ workspaceId }: Tenant): Promise<number> {
    const [row] = await this.query<{ balance: number }>(
      'SELECT balance::float8 AS balance FROM credits.accounts WHERE workspace_id = $1',
      [workspaceId],
    );
    return row?.balance ?? 0;
  }

  /** Returns the usage of one category and month, or null if there is none. */
  async allowanceUsed({ workspaceId }: Tenant): Promise<number | null> {
    const [row] = await this.query<{ used: number }>(
      'SELECT used FROM chatapp.allowance_uses WHERE workspace_id = $1',
      [workspaceId],
    );
    return row?.used ?? null;
  }

  /** Returns the outbox entries of a message, in any order. */
  async events(messageId: string): Promise<TestEvent[]> {
    const rows = await this.query<{ payload: TestEvent }>(
      `SELECT payload FROM messaging.outbox WHERE payload->'data'->>'messageId' = $1`,
      [messageId],
    );
    return rows.map(({ payload }) => payload);
  }

  async unmatchedStatuses(upstreamId: string): Promise<string[]> {
    const rows = await this.query<{ status: string }>(
      'SELECT status FROM chatapp.unmatched_statuses WHERE upstream_id = $1 ORDER BY status',
      [upstreamId],
    );
    return rows.map(({ status }) => status);
  }
}

/** Returns a number that is unique within the test file. */
export function newNumber(): string {
  return `+91${parseInt(unique(), 16)}`.slice(0, 14);
}
