import { Injectable } from '@nestjs/common';
import { ChatappConsents, ConsentLimit, type ChatappConsent } from '@heliograph/chatapp-catalog';
import { given } from '@heliograph/database';
import { DataSource } from 'typeorm';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../../access/caller';
import {
  ChatappConsentPage,
  ChatappConsentRecord,
  OneChatappConsent,
  type ChatappConsentQuery,
  type RecordChatappConsentRequest,
} from './consents.dto';
import { normalizeNumber } from '../number-rule';

const CONSENT = new AuditedKind<ChatappConsent>(
  'chatapp.consent',
  ({ number: id, organizationId }) => ({ id, organizationId }),
  ChatappConsentRecord.of,
);

/** Manages the consents of an organization; each write is audited. */
@Injectable()
export class ChatappConsentsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly consents: ChatappConsents,
    private readonly limit: ConsentLimit,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: ChatappConsentQuery): Promise<ChatappConsentPage> {
    const { number, status } = query;
    const filter = given({ number: number === undefined ? undefined : normalizeNumber(number), status });
    return ChatappConsentPage.of(
      await this.consents.listPage(this.dataSource.manager, organizationId, pageOf(query), filter),
    );
  }

  /** Throws LIMIT_REACHED, and STATE_CONFLICT if an opt-out by keyword would be reverted without a note. */
  record(
    write: Write,
    { organizationId }: Caller,
    { number, status, note }: RecordChatappConsentRequest,
  ): Promise<OneChatappConsent> {
    return this.unitOfWork.once(write, async () => {
      const details = { number: normalizeNumber(number), status, note };
      await this.limit.assertRoom(organizationId, details.number);
      return this.unitOfWork.run(write, async ({ transaction, auditChange }) => {
        const { requestId } = write.actor;
        const { before, after } = await this.consents.recordByAccount(transaction, organizationId, details, requestId);
        await auditChange(CONSENT, 'recorded', { ...(before ? { before } : {}), after });
        return OneChatappConsent.of(after);
      });
    });
  }
}
