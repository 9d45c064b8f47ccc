import { Injectable } from '@nestjs/common';
import { clientOf, toPage, type Page, type PageOf } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/email-address';
import { AppError } from '@heliograph/errors';
import type { Pool, PoolClient } from 'pg';
import { MoreThan, type EntityManager } from 'typeorm';
import { checkAddress } from './catalog-rules';
import { EmailSuppression, SUPPRESSION_REASONS, type SuppressionReason } from './suppression.entity';

export interface NewSuppression {
  organizationId: string;
  address: string;
  reason: SuppressionReason;
  /** The send that caused the suppression; null if there is none. */
  messageId: string | null;
}

export interface SuppressionFilter {
  address?: string;
  reason?: SuppressionReason;
}

/** The suppressed addresses of organizations. */
@Injectable()
export class Suppressions {
  /** Returns the reasons of the suppressed addresses by `addressKey`. */
  async among(
    client: Pool | PoolClient,
    organizationId: string,
    addresses: string[],
  ): Promise<Map<string, SuppressionReason>> {
    const { rows } = await client.query<{ address_key: string; reason: SuppressionReason }>(
      'SELECT address_key, reason FROM email.suppressions WHERE organization_id = $1 AND address_key = ANY($2)',
      [organizationId, addresses.map(addressKey)],
    );
    return new Map(rows.map(({ address_key, reason }) => [address_key, reason]));
  }

  /** Adds suppressions. An existing one changes only if the new reason has a higher priority. */
  async suppress(client: Pool | PoolClient, suppressions: readonly NewSuppression[]): Promise<void> {
    if (suppressions.length === 0) return;
    await client.query(
      `INSERT INTO email.suppressions AS known (organization_id, address_key, address, reason, message_id)
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::uuid[])
       ON CONFLICT (organization_id, address_key) DO UPDATE
       SET address = EXCLUDED.address, reason = EXCLUDED.reason, message_id = EXCLUDED.message_id, created_at = now()
       WHERE array_position($6::text[], EXCLUDED.reason) > array_position($6::text[], known.reason)`,
      [...columnsOf(strongestOfEach(suppressions)), SUPPRESSION_REASONS],
    );
  }

  /** Adds a suppression and returns the stored one, whose reason may have a higher priority. Throws VALIDATION_ERROR. */
  async add(
    transaction: EntityManager,
    organizationId: string,
    { address, reason }: Pick<NewSuppression, 'address' | 'reason'>,
  ): Promise<EmailSuppression> {
    const suppressed = checkAddress(address);
    await this.suppress(await clientOf(transaction), [
      { organizationId, address: suppressed, reason, messageId: null },
    ]);
    return this.one(transaction, organizationId, suppressed);
  }

  /** Lists suppressions sorted by address, which is the cursor of the page. */
  async list(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { address, reason }: SuppressionFilter = {},
  ): Promise<PageOf<EmailSuppression>> {
    const { limit, after } = page;
    const rows = await transaction.getRepository(EmailSuppression).find({
      where: {
        organizationId,
        ...(reason === undefined ? {} : { reason }),
        ...(after === null ? {} : { addressKey: MoreThan(after) }),
        // The filter for one address needs no cursor.
        ...(address === undefined ? {} : { addressKey: keyOf(address) }),
      },
      order: { addressKey: 'ASC' },
      take: limit + 1,
    });
    return toPage(rows, page, ({ addressKey: key }) => key);
  }

  /** Throws NOT_FOUND. */
  async one(transaction: EntityManager, organizationId: string, address: string): Promise<EmailSuppression> {
    const key = { organizationId, addressKey: keyOf(address) };
    const suppression = await transaction.getRepository(EmailSuppression).findOneBy(key);
    if (suppression) return suppression;
    throw new AppError('NOT_FOUND', 'Suppression not found in this organization.');
  }

  /** Returns the removed suppression. Throws NOT_FOUND, and STATE_CONFLICT for a complaint. */
  async remove(transaction: EntityManager, organizationId: string, address: string): Promise<EmailSuppression> {
    const repository = transaction.getRepository(EmailSuppression);
    const key = { organizationId, addressKey: keyOf(address) };
    const suppression = await repository.findOne({ where: key, lock: { mode: 'pessimistic_write' } });
    if (!suppression) throw new AppError('NOT_FOUND', 'Suppression not found in this organization.');
    if (suppression.reason === 'complained') {
      throw new AppError(
        'STATE_CONFLICT',
        'The recipient has reported a mail as abuse. A complaint cannot be removed. Use another address.',
      );
    }
    await repository.delete(key);
    return suppression;
  }
}

interface KeyedSuppression extends NewSuppression {
  key: string;
}

/** The key of a text that may be an invalid address, which matches nothing. */
function keyOf(text: string): string {
  return addressKey(readEmailAddress(text) ?? '');
}

/** One row per key, because a statement cannot write a row twice, in a fixed order to prevent deadlocks. */
function strongestOfEach(suppressions: readonly NewSuppression[]): KeyedSuppression[] {
  const strongest = new Map<string, KeyedSuppression>();
  for (const suppression of suppressions) {
    const key = addressKey(suppression.address);
    const row = `${suppression.organizationId} ${key}`;
    const known = strongest.get(row);
    if (!known || strengthOf(suppression) > strengthOf(known)) strongest.set(row, { ...suppression, key });
  }
  return [...strongest.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, suppression]) => suppression);
}

function strengthOf({ reason }: NewSuppression): number {
  return SUPPRESSION_REASONS.indexOf(reason);
}

function columnsOf(suppressions: KeyedSuppression[]): unknown[][] {
  return [
    suppressions.map(({ organizationId }) => organizationId),
    suppressions.map(({ key }) => key),
    suppressions.map(({ address }) => address),
    suppressions.map(({ reason }) => reason),
    suppressions.map(({ messageId }) => messageId),
  ];
}
