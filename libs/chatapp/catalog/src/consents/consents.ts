import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { chatappConsentChanged } from '@heliograph/contracts';
import { clientOf, given, newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { MoreThan, Repository, type EntityManager } from 'typeorm';
import { ChatappConsent, type ConsentStatus } from './consent.entity';

export interface ConsentDetails {
  /** Digits after a plus. */
  number: string;
  status: ConsentStatus;
  source: string;
  /** Undefined retains the stored value. */
  note?: string | null;
}

export interface ConsentFilter {
  /** Digits after a plus. */
  number?: string;
  status?: ConsentStatus;
}

/** The previous record; null if there was none. */
export interface RecordedConsent {
  before: ChatappConsent | null;
  after: ChatappConsent;
}

/** The consents of an organization's recipients. Each organization has its own list. */
@Injectable()
export class ChatappConsents {
  constructor(@InjectRepository(ChatappConsent) private readonly consents: Repository<ChatappConsent>) {}

  /** Records a consent, and publishes an event when its status changes. */
  async record(
    transaction: EntityManager,
    organizationId: string,
    details: ConsentDetails,
    correlationId: string | null,
  ): Promise<ChatappConsent> {
    const { row, isNew } = await lockRow(transaction, organizationId, details);
    return write(transaction, row, isNew, details, correlationId);
  }

  /**
   * Records a consent on behalf of the organization. Changing a keyword opt-out requires a note that documents how the
   * person agreed. Throws STATE_CONFLICT without the note.
   */
  async recordByAccount(
    transaction: EntityManager,
    organizationId: string,
    { number, status, note = null }: Omit<ConsentDetails, 'source'>,
    correlationId: string | null,
  ): Promise<RecordedConsent> {
    const details = { number, status, source: 'account', note };
    const { row, isNew } = await lockRow(transaction, organizationId, details);
    const before = isNew ? null : row;
    if (before && status !== 'opted_out' && isOptedOutByKeyword(before) && note === null) {
      throw new AppError(
        'STATE_CONFLICT',
        `${number} has opted out by a keyword. Wait for the person to opt in, or document in note how they agreed.`,
      );
    }
    return { before, after: await write(transaction, row, isNew, details, correlationId) };
  }

  /**
   * Applies a declared consent and returns the resulting one; does nothing when it is already in effect. Does not
   * change a keyword opt-out, because a declaration is applied repeatedly and the keyword may be newer.
   */
  async declare(transaction: EntityManager, organizationId: string, details: ConsentDetails): Promise<ChatappConsent> {
    const { row, isNew } = await lockRow(transaction, organizationId, details);
    const { status, source, note = row.note } = details;
    const isSo = row.status === status && row.source === source && row.note === note;
    if (!isNew && (isSo || isOptedOutByKeyword(row))) return row;
    return write(transaction, row, isNew, details, null);
  }

  /** Sorted by last change, newest first. */
  list(organizationId: string, limit: number): Promise<ChatappConsent[]> {
    return this.consents.find({ where: { organizationId }, order: { updatedAt: 'DESC', id: 'DESC' }, take: limit });
  }

  /** Sorted by number; the last number is the cursor of the next page. */
  async listPage(
    transaction: EntityManager,
    organizationId: string,
    page: Page,
    { number, status }: ConsentFilter = {},
  ): Promise<PageOf<ChatappConsent>> {
    const { limit, after } = page;
    const consents = await transaction.getRepository(ChatappConsent).find({
      where: {
        organizationId,
        ...given({ status }),
        ...(after === null ? {} : { number: MoreThan(after) }),
        // A filter by number has at most one result.
        ...given({ number }),
      },
      order: { number: 'ASC' },
      take: limit + 1,
    });
    return toPage(consents, page, (consent) => consent.number);
  }
}

function isOptedOutByKeyword({ status, source }: ChatappConsent): boolean {
  return status === 'opted_out' && source === 'keyword_stop';
}

/** Creates the row if it does not exist and locks it, so that changes are serialized. */
async function lockRow(
  transaction: EntityManager,
  organizationId: string,
  { number, status, source }: ConsentDetails,
): Promise<{ row: ChatappConsent; isNew: boolean }> {
  const { rowCount: made } = await (
    await clientOf(transaction)
  ).query(
    `INSERT INTO chatapp.consents (id, organization_id, number, status, source)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (organization_id, number) DO NOTHING`,
    [newId(), organizationId, number, status, source],
  );
  const row = await transaction
    .getRepository(ChatappConsent)
    .findOneOrFail({ where: { organizationId, number }, lock: { mode: 'pessimistic_write' } });
  return { row, isNew: made === 1 };
}

async function write(
  transaction: EntityManager,
  row: ChatappConsent,
  isNew: boolean,
  { status, source, note = row.note }: ConsentDetails,
  correlationId: string | null,
): Promise<ChatappConsent> {
  const repository = transaction.getRepository(ChatappConsent);
  const { id, organizationId, number } = row;
  const updatedAt = new Date();
  await repository.update({ id }, { status, source, note, updatedAt });
  if (isNew || row.status !== status) {
    await addToOutbox(await clientOf(transaction), [
      composeEvent(chatappConsentChanged, {
        organizationId,
        workspaceId: null,
        correlationId,
        data: { consentId: id, number, status, source, occurredAt: updatedAt.toISOString() },
      }),
    ]);
  }
  return repository.create({ ...row, status, source, note, updatedAt });
}
