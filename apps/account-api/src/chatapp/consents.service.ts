import { Inject, Injectable } from '@nestjs/common';
import { ChatappConsents, type ChatappConsent } from '@heliograph/chatapp-catalog';
import { given, type Page, type PageOf } from '@heliograph/database';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type WriteCall } from '../writes/writes.service';
import { ChatappConsentRecord, type ChatappConsentQuery, type RecordChatappConsentRequest } from './consents.dto';
import { numberOf } from './number-rule';

/** Whom an organization may write to, on the record. */
@Injectable()
export class ChatappConsentsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(ChatappConsents) private readonly consents: ChatappConsents,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list(
    { organizationId }: Caller,
    page: Page,
    { number, status }: ChatappConsentQuery,
  ): Promise<PageOf<ChatappConsent>> {
    const filter = given({ number: number === undefined ? undefined : numberOf(number), status });
    return this.consents.listPage(this.dataSource.manager, organizationId, page, filter);
  }

  /** Throws STATE_CONFLICT for an opt-out by keyword that would be lifted without a note. */
  record(
    call: WriteCall,
    { organizationId }: Caller,
    { number, status, note }: RecordChatappConsentRequest,
  ): Promise<ChatappConsentRecord> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const details = { number: numberOf(number), status, note };
      const recorded = await this.consents.recordByAccount(transaction, organizationId, details, call.actor.requestId);
      const after = ChatappConsentRecord.of(recorded.after);
      await record({
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
