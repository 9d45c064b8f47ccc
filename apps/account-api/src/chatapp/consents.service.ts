import { Injectable } from '@nestjs/common';
import { ChatappConsents, type ChatappConsent } from '@heliograph/chatapp-catalog';
import { given, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { ChatappConsentRecord, type ChatappConsentQuery, type RecordChatappConsentRequest } from './consents.dto';
import { numberOf } from './number-rule';

/** Manages the consents of an organization; each write is audited. */
@Injectable()
export class ChatappConsentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly consents: ChatappConsents,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(
    { organizationId }: Caller,
    page: Page,
    { number, status }: ChatappConsentQuery,
  ): Promise<PageOf<ChatappConsent>> {
    const filter = given({ number: number === undefined ? undefined : numberOf(number), status });
    return this.consents.listPage(this.dataSource.manager, organizationId, page, filter);
  }

  /** Throws STATE_CONFLICT if an opt-out by keyword would be reverted without a note. */
  record(
    write: WriteRequest,
    { organizationId }: Caller,
    { number, status, note }: RecordChatappConsentRequest,
  ): Promise<ChatappConsentRecord> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const details = { number: numberOf(number), status, note };
      const recorded = await this.consents.recordByAccount(transaction, organizationId, details, write.actor.requestId);
      const after = ChatappConsentRecord.of(recorded.after);
      await audit({
        organizationId,
        action: 'chatapp.consent.recorded',
        target: { type: 'chatapp.consent', id: after.number },
        before: recorded.before && ChatappConsentRecord.of(recorded.before),
        after,
      });
      return after;
    });
  }
}
