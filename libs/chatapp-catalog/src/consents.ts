import { Inject, Injectable } from '@nestjs/common';
import { chatappConsentChanged } from '@heliograph/contracts';
import { clientOf, given, newId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { addToOutbox, composeEvent } from '@heliograph/messaging';
import { DataSource, MoreThan, type EntityManager } from 'typeorm';
import { ChatappConsent, type ConsentStatus } from './consent.entity';

export interface ConsentDetails {
  /** Digits after a plus. */
  number: string;
  status: ConsentStatus;
  source: string;
  /** Left out: what is there stays. */
  note?: string | null;
}

export interface ConsentFilter {
  /** Digits after a plus. */
  number?: string;
  status?: ConsentStatus;
}

/** What a record was before it was made anew; null: there was none. */
export interface RecordedConsent {
  before: ChatappConsent | null;
  after: ChatappConsent;
}

/** Whom an organization may write to. Another organization's list is none of its business. */
@Injectable()
export class ChatappConsents {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  /** Records what somebody has said, and tells of it when it changes the status. */
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
   * Records what people of the organization say. Who has opted out by a keyword opts in by one; for that to be said in
   * their place takes a note of how they agreed. Throws STATE_CONFLICT without it.
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
        `${number} has opted out by a keyword. Wait for the person to opt in, or say in note how they have agreed.`,
      );
    }
    return { before, after: await write(transaction, row, isNew, details, correlationId) };
  }

  /**
   * Makes the record what a file declares, and changes nothing where it is so already. Answers what holds: an opt-out by
   * keyword stands, because a file is applied again and again, and the person has had their word since.
   */
  async declare(transaction: EntityManager, organizationId: string, details: ConsentDetails): Promise<ChatappConsent> {
    const { row, isNew } = await lockRow(transaction, organizationId, details);
    const { status, source, note = row.note } = details;
    const isSo = row.status === status && row.source === source && row.note === note;
    if (!isNew && (isSo || isOptedOutByKeyword(row))) return row;
    return write(transaction, row, isNew, details, null);
  }

  /** The most recently changed first. */
  list(organizationId: string, limit: number): Promise<ChatappConsent[]> {
    return this.dataSource
      .getRepository(ChatappConsent)
      .find({ where: { organizationId }, order: { updatedAt: 'DESC', id: 'DESC' }, take: limit });
  }

  /** In the order of the numbers, by which the next page is asked for. */
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
        // A page of one number has no other after it.
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

/** Whoever comes first makes the row, and everybody changes it one after the other. */
async function lockRow(
  transaction: EntityManager,
  organizationId: string,
  { number, status, source }: ConsentDetails,
): Promise<{ row: ChatappConsent; isNew: boolean }> {
  const { rowCount: made } = await clientOf(transaction).query(
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
    await addToOutbox(clientOf(transaction), [
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
