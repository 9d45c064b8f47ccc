import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { CatalogService, type Sender } from '@heliograph/sms-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, targetOf, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../access/caller';
import { readFlag } from '../../http/rules';
import { LIMITED } from '../../unit-of-work/limited-kinds';
import {
  OneSender,
  SenderAnswer,
  SenderPage,
  type ChangeSenderRequest,
  type CreateSenderRequest,
  type RegistrationQuery,
} from './sms.dto';

const SENDER = {
  kind: new AuditedKind<Sender>('sms.sender', targetOf, SenderAnswer.of),
  answer: OneSender.of,
};

/** Manages the SMS senders of an organization; each write is audited. */
@Injectable()
export class SendersService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly catalog: CatalogService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: RegistrationQuery): Promise<SenderPage> {
    const filter = given({ onboardingId: query.onboardingId, isActive: readFlag(query.isActive) });
    return SenderPage.of(
      await this.catalog.listSenders(this.dataSource.manager, organizationId, pageOf(query), filter),
    );
  }

  async get({ organizationId }: Caller, id: string): Promise<OneSender> {
    return OneSender.of(await this.catalog.senderOf(this.dataSource.manager, organizationId, id));
  }

  create(write: Write, { organizationId }: Caller, details: CreateSenderRequest): Promise<OneSender> {
    const creates = { organizationId, kind: LIMITED.smsSenders };
    return this.unitOfWork.change(write, { ...SENDER, done: 'created', creates }, async (transaction) => ({
      after: await this.catalog.createSender(transaction, organizationId, details),
    }));
  }

  update(write: Write, { organizationId }: Caller, id: string, details: ChangeSenderRequest): Promise<OneSender> {
    return this.unitOfWork.change(write, { ...SENDER, done: 'changed' }, (transaction) =>
      this.catalog.changeSender(transaction, organizationId, id, details),
    );
  }
}
