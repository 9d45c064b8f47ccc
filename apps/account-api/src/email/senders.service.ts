import { Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { EmailCatalogService, type EmailSender } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { UnitOfWork, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import { auditChange } from './audit-change';
import {
  EmailSenderRecord,
  type ChangeEmailSenderRequest,
  type CreateEmailSenderRequest,
  type EmailSenderQuery,
} from './senders.dto';

/** Manages the senders of an organization; each write is audited. */
@Injectable()
export class EmailSendersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: EmailCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list({ organizationId }: Caller, page: Page, { domainId }: EmailSenderQuery): Promise<PageOf<EmailSender>> {
    const filter = domainId === undefined ? {} : { domainId };
    return this.catalog.listSenders(this.dataSource.manager, organizationId, page, filter);
  }

  get({ organizationId }: Caller, id: string): Promise<EmailSender> {
    return this.catalog.senderOf(this.dataSource.manager, organizationId, id);
  }

  create(write: WriteRequest, { organizationId }: Caller, body: CreateEmailSenderRequest): Promise<EmailSenderRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const after = await this.catalog.createSender(work.transaction, organizationId, body);
      await auditChange(work, ['sender', 'created'], { after }, EmailSenderRecord.of);
      return EmailSenderRecord.of(after);
    });
  }

  update(
    write: WriteRequest,
    { organizationId }: Caller,
    id: string,
    body: ChangeEmailSenderRequest,
  ): Promise<EmailSenderRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const { before, after } = await this.catalog.changeSender(work.transaction, organizationId, id, body);
      await auditChange(work, ['sender', 'changed'], { before, after }, EmailSenderRecord.of);
      return EmailSenderRecord.of(after);
    });
  }

  remove(write: WriteRequest, { organizationId }: Caller, id: string): Promise<EmailSenderRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = await this.catalog.removeSender(work.transaction, organizationId, id);
      await auditChange(work, ['sender', 'removed'], { before }, EmailSenderRecord.of);
      return EmailSenderRecord.of(before);
    });
  }
}
