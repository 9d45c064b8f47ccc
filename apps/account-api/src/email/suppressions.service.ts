import { Injectable } from '@nestjs/common';
import { given, type Page, type PageOf } from '@heliograph/database';
import { Suppressions, type EmailSuppression } from '@heliograph/email-catalog';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../access/caller';
import { UnitOfWork, type UnitOfWorkContext, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  EmailSuppressionRecord,
  type CreateEmailSuppressionRequest,
  type EmailSuppressionQuery,
} from './suppressions.dto';

/** Manages the suppressions of an organization; each write is audited. */
@Injectable()
export class EmailSuppressionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly suppressions: Suppressions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(
    { organizationId }: Caller,
    page: Page,
    { address, reason }: EmailSuppressionQuery,
  ): Promise<PageOf<EmailSuppression>> {
    return this.suppressions.list(this.dataSource.manager, organizationId, page, given({ address, reason }));
  }

  /** An existing suppression with a stronger reason is not changed. */
  create(
    write: WriteRequest,
    { organizationId }: Caller,
    body: CreateEmailSuppressionRequest,
  ): Promise<EmailSuppressionRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = await this.known(work.transaction, organizationId, body.address);
      const after = await this.suppressions.add(work.transaction, organizationId, body);
      await auditChange(work, before === null ? 'created' : 'changed', before, after);
      return EmailSuppressionRecord.of(after);
    });
  }

  remove(write: WriteRequest, { organizationId }: Caller, address: string): Promise<EmailSuppressionRecord> {
    return this.unitOfWork.run(write, async (work) => {
      const before = await this.suppressions.remove(work.transaction, organizationId, address);
      await auditChange(work, 'removed', before, null);
      return EmailSuppressionRecord.of(before);
    });
  }

  private async known(
    transaction: EntityManager,
    organizationId: string,
    address: string,
  ): Promise<EmailSuppression | null> {
    const page = await this.suppressions.list(transaction, organizationId, { limit: 1, after: null }, { address });
    return page.items[0] ?? null;
  }
}

async function auditChange(
  { audit }: UnitOfWorkContext,
  done: 'created' | 'changed' | 'removed',
  before: EmailSuppression | null,
  after: EmailSuppression | null,
): Promise<void> {
  const subject = after ?? before;
  if (subject === null) return;
  await audit({
    organizationId: subject.organizationId,
    action: `email.suppression.${done}`,
    target: { type: 'email.suppression', id: subject.addressKey },
    before: before && EmailSuppressionRecord.of(before),
    after: after && EmailSuppressionRecord.of(after),
  });
}
