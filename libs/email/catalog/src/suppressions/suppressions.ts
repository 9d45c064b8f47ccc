import { Injectable } from '@nestjs/common';
import { clientOf, toPage, type Page, type PageOf } from '@heliograph/database';
import { addressKey, readEmailAddress } from '@heliograph/addresses';
import { AppError } from '@heliograph/errors';
import type { Pool, PoolClient } from 'pg';
import type { EntityManager } from 'typeorm';
import { checkAddress } from '../catalog-rules';
import { EmailSuppression, SUPPRESSION_REASONS, type SuppressionReason } from './suppression.entity';
import { isSuppressionScope, SUPPRESSION_SCOPE_RULE } from './unsubscribe-scope';

export interface NewSuppression {
  organizationId: string;
  address: string;
  scope: string;
  reason: SuppressionReason;
  /** The send that caused the suppression; null if there is none. */
  messageId: string | null;
}

export interface SuppressionFilter {
  address?: string;
  scope?: string;
  reason?: SuppressionReason;
}

/** Separates address and scope in a cursor; neither contains it. */
const SEPARATOR = '\n';

/** The suppressed addresses of organizations. */
@Injectable()
export class Suppressions {
  /** Adds suppressions. An existing one changes only if the new reason has a higher priority. */
  async suppress(client: Pool | PoolClient, suppressions: readonly NewSuppression[]): Promise<void> {
    if (suppressions.length === 0) return;
    await client.query(
      `INSERT INTO email.suppressions AS known (organization_id, address_key, scope, address, reason, message_id)
       SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::uuid[])
       ON CONFLICT (organization_id, address_key, scope) DO UPDATE
       SET address = EXCLUDED.address, reason = EXCLUDED.reason, message_id = EXCLUDED.message_id, created_at = now()
       WHERE array_position($7::text[], EXCLUDED.reason) > array_position($7::text[], known.reason)`,
      [...columnsOf(strongestOfEach(suppressions)), SUPPRESSION_REASONS],
    );
  }

  /** Adds a suppression and returns the stored one, whose reason may have a higher priority. Throws VALIDATION_ERROR. */
  async add(
    transaction: EntityManager,
    organizationId: string,
    { address, scope, reason }: Pick<NewSuppression, 'address' | 'scope' | 'reason'>,
  ): Promise<EmailSuppression> {
    const suppressed = checkAddress(address);
    if (!isSuppressionScope(scope)) throw new AppError('VALIDATION_ERROR', `scope: ${SUPPRESSION_SCOPE_RULE}.`);
    await this.suppress(await clientOf(transaction), [
      { organizationId, address: suppressed, scope, reason, messageId: null },
    ]);
    return this.one(transaction, organizationId, suppressed, scope);
  }

  /** Lists suppressions sorted by address and scope, which are the cursor of the page. */
  async list(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { address, scope, reason }: SuppressionFilter = {},
  ): Promise<PageOf<EmailSuppression>> {
    const { limit, after } = page;
    const [afterKey, afterScope = ''] = after?.split(SEPARATOR) ?? [];
    const query = transaction
      .getRepository(EmailSuppression)
      .createQueryBuilder('s')
      .where({
        organizationId,
        ...(address === undefined ? {} : { addressKey: keyOf(address) }),
        ...(scope === undefined ? {} : { scope }),
        ...(reason === undefined ? {} : { reason }),
      })
      .orderBy({ 's.addressKey': 'ASC', 's.scope': 'ASC' })
      .limit(limit + 1);
    if (after !== null) query.andWhere('(s.addressKey, s.scope) > (:afterKey, :afterScope)', { afterKey, afterScope });
    return toPage(await query.getMany(), page, ({ addressKey: key, scope: of }) => key + SEPARATOR + of);
  }

  /** Throws NOT_FOUND. */
  async one(
    transaction: EntityManager,
    organizationId: string,
    address: string,
    scope: string,
  ): Promise<EmailSuppression> {
    const key = { organizationId, addressKey: keyOf(address), scope };
    return (await transaction.getRepository(EmailSuppression).findOneBy(key)) ?? notFound();
  }

  /**
   * Returns the removed suppression; `scope` is undefined for the only one of the address. Throws NOT_FOUND, and
   * STATE_CONFLICT for a complaint and for an address with several suppressions.
   */
  async remove(
    transaction: EntityManager,
    organizationId: string,
    address: string,
    scope?: string,
  ): Promise<EmailSuppression> {
    const repository = transaction.getRepository(EmailSuppression);
    const key = { organizationId, addressKey: keyOf(address), ...(scope === undefined ? {} : { scope }) };
    const found = await repository.find({ where: key, order: { scope: 'ASC' }, lock: { mode: 'pessimistic_write' } });
    const [suppression, ...others] = found;
    if (!suppression) return notFound();
    if (others.length > 0) {
      const scopes = found.map((one) => one.scope).join(', ');
      throw new AppError(
        'STATE_CONFLICT',
        `The address has several suppressions. Name one of their scopes: ${scopes}.`,
      );
    }
    if (suppression.reason === 'complained') {
      throw new AppError(
        'STATE_CONFLICT',
        'The recipient has reported an email as spam. A complaint cannot be removed. Use another address.',
      );
    }
    await repository.delete({ organizationId, addressKey: suppression.addressKey, scope: suppression.scope });
    return suppression;
  }
}

function notFound(): never {
  throw new AppError('NOT_FOUND', 'Suppression not found in this organization.');
}

interface KeyedSuppression extends NewSuppression {
  key: string;
}

/** The key of a text. An invalid address gets a key that matches nothing. */
function keyOf(text: string): string {
  return addressKey(readEmailAddress(text) ?? '');
}

/** One row per key, because a statement cannot write a row twice, in a fixed order to prevent deadlocks. */
function strongestOfEach(suppressions: readonly NewSuppression[]): KeyedSuppression[] {
  const strongest = new Map<string, KeyedSuppression>();
  for (const suppression of suppressions) {
    const key = addressKey(suppression.address);
    const row = `${suppression.organizationId} ${key} ${suppression.scope}`;
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
    suppressions.map(({ scope }) => scope),
    suppressions.map(({ address }) => address),
    suppressions.map(({ reason }) => reason),
    suppressions.map(({ messageId }) => messageId),
  ];
}
