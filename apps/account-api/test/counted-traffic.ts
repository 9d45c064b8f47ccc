import { creditsCharged, creditsRefunded, emailOpened, smsDelivered, type EventContract } from '@heliograph/contracts';
import { firstIdOf, newId, poolOf } from '@heliograph/database';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import type { AccountFixture, Tenant } from './account-fixture';
import { makePartitions } from './stored-messages';

export interface SmsTraits {
  status?: 'queued' | 'sent' | 'delivered' | 'failed' | 'canceled';
  createdAt?: Date;
  country?: string;
  senderId?: string;
  templateId?: string | null;
  campaignId?: string | null;
  error?: string;
  cost?: number;
  /** Time from the acceptance by the carrier to the delivery. */
  latencyMs?: number;
  isRefunded?: boolean;
}

/** Stores messages in the same way as the services of the channels, and publishes their events. */
export class CountedTraffic {
  constructor(
    private readonly fixture: AccountFixture,
    private readonly tenant: Tenant,
    private readonly workspaceId = tenant.workspace.id,
  ) {}

  /** Stores an SMS with its ledger entries. `publish` sends the events that lead to its count. */
  async sms(traits: SmsTraits = {}): Promise<string> {
    const { status = 'delivered', createdAt = new Date(), cost = 2, latencyMs = 1_000 } = traits;
    await makePartitions(this.fixture.database, ['sms.messages', 'sms.parts']);
    const id = idAt(createdAt);
    const isSent = status === 'sent' || status === 'delivered' || (status === 'failed' && !traits.isRefunded);
    const sentAt = isSent ? new Date(createdAt.getTime() + 500) : null;
    const finishedAt = ['delivered', 'failed'].includes(status)
      ? new Date(createdAt.getTime() + 500 + latencyMs)
      : null;
    await this.fixture.database.query(
      `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, template_id, campaign_id, created_at, sent_at,
         finished_at, credits_cost, segments, submits, flash, status, encoding, country, header, recipient, body, last_error)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 2, 1, false, $11, 'gsm-7', $12, 'DEMOIN', '+919811111111', 'x', $13)`,
      [
        id,
        this.tenant.organizationId,
        this.workspaceId,
        traits.senderId ?? this.workspaceId,
        traits.templateId ?? null,
        traits.campaignId ?? null,
        createdAt,
        sentAt,
        finishedAt,
        cost,
        status,
        traits.country ?? 'IN',
        status === 'failed' ? (traits.error ?? 'rejected') : null,
      ],
    );
    await this.enter('sms', 'charge', -cost, `sms:${id}`);
    if (traits.isRefunded) await this.enter('sms', 'refund', cost, `sms:${id}`);
    return id;
  }

  /**
   * Stores an email. Each recipient is `[address, state, outcome, ...event types]`; `machine` is an open by a machine.
   */
  async email(
    recipients: readonly (readonly string[])[],
    { tags = [], templateId = null }: { tags?: string[]; templateId?: string | null } = {},
  ): Promise<string> {
    await makePartitions(this.fixture.database, ['email.messages', 'email.recipients', 'email.events']);
    const id = newId();
    await this.fixture.database.query(
      `INSERT INTO email.messages (id, organization_id, workspace_id, created_at, track_opens, track_clicks, status,
         from_address, subject, tags, template_id) VALUES ($1, $2, $3, now(), true, true, 'sent', 'hello@demo.example', 'Hi', $4, $5)`,
      [id, this.tenant.organizationId, this.workspaceId, tags, templateId],
    );
    for (const [position, [address, state, outcome, ...events]] of recipients.entries()) {
      await this.fixture.database.query(
        'INSERT INTO email.recipients (message_id, position, state, outcome, address) VALUES ($1, $2, $3, $4, $5)',
        [id, position, state, outcome || null, address],
      );
      for (const event of events) {
        const isMachine = event === 'machine';
        await this.fixture.database.query(
          `INSERT INTO email.events (message_id, id, position, occurred_at, type, reason)
           VALUES ($1, gen_random_uuid(), $2, now(), $3, $4)`,
          [id, position, isMachine ? 'opened' : event, isMachine ? 'machine' : null],
        );
      }
    }
    await this.enter('email', 'charge', -recipients.length, `email:${id}`);
    return id;
  }

  publishSms(messageId: string): Promise<void> {
    const deliveredAt = new Date().toISOString();
    return this.publish(smsDelivered, { messageId, to: '+919811111111', carrier: 'carrier-a', deliveredAt });
  }

  publishEmail(messageId: string): Promise<void> {
    return this.publish(emailOpened, { messageId, recipient: 'ann@example.com', url: null, reason: null });
  }

  /** Stores a ledger entry and its event, which is also an event of its message. */
  async enter(
    creditType: 'sms' | 'email' | 'chatapp',
    kind: 'charge' | 'refund',
    amount: number,
    reference: string,
  ): Promise<void> {
    const entryId = newId();
    await this.fixture.database.query(
      `INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference)
       VALUES ($1, $2, $3, $4, $5, 100, $6)`,
      [entryId, this.workspaceId, creditType, kind, amount, reference],
    );
    const data = { entryId, workspaceId: this.workspaceId, creditType, amount, balanceAfter: 100, reference };
    await this.publish(kind === 'charge' ? creditsCharged : creditsRefunded, data, entryId);
  }

  async publish(contract: EventContract, data: object, id = newId()): Promise<void> {
    const { organizationId } = this.tenant;
    const about = { organizationId, workspaceId: this.workspaceId, correlationId: null, id, data };
    const client = await poolOf(this.fixture.factory.dataSource).connect();
    await addToOutbox(client, [composeEvent(contract, about as never)]).finally(() => client.release());
  }
}

/** Returns a message id of this creation time. */
function idAt(time: Date): string {
  return `${firstIdOf(time).slice(0, 14)}7${newId().slice(15)}`;
}
