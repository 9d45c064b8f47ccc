import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { EmailCatalogService, type EmailSender } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../../access/caller';
import { LIMITED } from '../../../unit-of-work/limited-kinds';
import {
  EmailSenderPage,
  EmailSenderRecord,
  OneEmailSender,
  type ChangeEmailSenderRequest,
  type CreateEmailSenderRequest,
  type EmailSenderQuery,
} from './senders.dto';

const EMAIL_SENDER = {
  kind: new AuditedKind<EmailSender>('email.sender', targetOf, EmailSenderRecord.of),
  answer: OneEmailSender.of,
};

/** Manages the senders of an organization; each write is audited. */
@Injectable()
export class EmailSendersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: EmailCatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: EmailSenderQuery): Promise<EmailSenderPage> {
    const filter = given({ domainId: query.domainId });
    return EmailSenderPage.of(
      await this.catalog.listSenders(this.dataSource.manager, organizationId, pageOf(query), filter),
    );
  }

  async get({ organizationId }: Caller, id: string): Promise<OneEmailSender> {
    return OneEmailSender.of(await this.catalog.senderOf(this.dataSource.manager, organizationId, id));
  }

  create(write: Write, { organizationId }: Caller, body: CreateEmailSenderRequest): Promise<OneEmailSender> {
    const creates = { organizationId, kind: LIMITED.emailSenders };
    return this.unitOfWork.change(write, { ...EMAIL_SENDER, done: 'created', creates }, async (transaction) => ({
      after: await this.catalog.createSender(transaction, organizationId, body),
    }));
  }

  update(
    write: Write,
    { organizationId }: Caller,
    id: string,
    body: ChangeEmailSenderRequest,
  ): Promise<OneEmailSender> {
    return this.unitOfWork.change(write, { ...EMAIL_SENDER, done: 'changed' }, (transaction) =>
      this.catalog.changeSender(transaction, organizationId, id, body),
    );
  }

  remove(write: Write, { organizationId }: Caller, id: string): Promise<OneEmailSender> {
    return this.unitOfWork.change(write, { ...EMAIL_SENDER, done: 'removed' }, async (transaction) => ({
      before: await this.catalog.removeSender(transaction, organizationId, id),
    }));
  }
}
