import { Inject, Injectable } from '@nestjs/common';
import type { Page, PageOf } from '@heliograph/database';
import { EmailCatalogService, type EmailSender } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type WriteCall } from '../writes/writes.service';
import { recordChange } from './record-change';
import {
  EmailSenderRecord,
  type ChangeEmailSenderRequest,
  type CreateEmailSenderRequest,
  type EmailSenderQuery,
} from './senders.dto';

/** The addresses that an organization sends from, on the record. */
@Injectable()
export class EmailSendersService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(EmailCatalogService) private readonly catalog: EmailCatalogService,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list({ organizationId }: Caller, page: Page, { domainId }: EmailSenderQuery): Promise<PageOf<EmailSender>> {
    const filter = domainId === undefined ? {} : { domainId };
    return this.catalog.listSenders(this.dataSource.manager, organizationId, page, filter);
  }

  one({ organizationId }: Caller, id: string): Promise<EmailSender> {
    return this.catalog.senderOf(this.dataSource.manager, organizationId, id);
  }

  create(call: WriteCall, { organizationId }: Caller, asked: CreateEmailSenderRequest): Promise<EmailSenderRecord> {
    return this.writes.run(call, async (open) => {
      const after = await this.catalog.createSender(open.transaction, organizationId, asked);
      await recordChange(open, ['sender', 'created'], { after }, EmailSenderRecord.of);
      return EmailSenderRecord.of(after);
    });
  }

  change(
    call: WriteCall,
    { organizationId }: Caller,
    id: string,
    asked: ChangeEmailSenderRequest,
  ): Promise<EmailSenderRecord> {
    return this.writes.run(call, async (open) => {
      const { before, after } = await this.catalog.changeSender(open.transaction, organizationId, id, asked);
      await recordChange(open, ['sender', 'changed'], { before, after }, EmailSenderRecord.of);
      return EmailSenderRecord.of(after);
    });
  }

  remove(call: WriteCall, { organizationId }: Caller, id: string): Promise<EmailSenderRecord> {
    return this.writes.run(call, async (open) => {
      const before = await this.catalog.removeSender(open.transaction, organizationId, id);
      await recordChange(open, ['sender', 'removed'], { before }, EmailSenderRecord.of);
      return EmailSenderRecord.of(before);
    });
  }
}
