import { Inject, Injectable } from '@nestjs/common';
import { given, type Page, type PageOf } from '@heliograph/database';
import { Suppressions, type EmailSuppression } from '@heliograph/email-catalog';
import { DataSource, type EntityManager } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type OpenWrite, type WriteCall } from '../writes/writes.service';
import {
  EmailSuppressionRecord,
  type CreateEmailSuppressionRequest,
  type EmailSuppressionQuery,
} from './suppressions.dto';

/** Whom an organization does not send to, on the record. */
@Injectable()
export class EmailSuppressionsService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(Suppressions) private readonly suppressions: Suppressions,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  list(
    { organizationId }: Caller,
    page: Page,
    { address, reason }: EmailSuppressionQuery,
  ): Promise<PageOf<EmailSuppression>> {
    return this.suppressions.list(this.dataSource.manager, organizationId, page, given({ address, reason }));
  }

  /** What is there for a stronger reason stays as it is. */
  create(
    call: WriteCall,
    { organizationId }: Caller,
    asked: CreateEmailSuppressionRequest,
  ): Promise<EmailSuppressionRecord> {
    return this.writes.run(call, async (open) => {
      const before = await this.known(open.transaction, organizationId, asked.address);
      const after = await this.suppressions.add(open.transaction, organizationId, asked);
      await note(open, before === null ? 'created' : 'changed', before, after);
      return EmailSuppressionRecord.of(after);
    });
  }

  remove(call: WriteCall, { organizationId }: Caller, address: string): Promise<EmailSuppressionRecord> {
    return this.writes.run(call, async (open) => {
      const before = await this.suppressions.remove(open.transaction, organizationId, address);
      await note(open, 'removed', before, null);
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

async function note(
  { record }: OpenWrite,
  done: 'created' | 'changed' | 'removed',
  before: EmailSuppression | null,
  after: EmailSuppression | null,
): Promise<void> {
  const subject = after ?? before;
  if (subject === null) return;
  await record({
    organizationId: subject.organizationId,
    action: `email.suppression.${done}`,
    target: { type: 'email.suppression', id: subject.addressKey },
    before: before && EmailSuppressionRecord.of(before),
    after: after && EmailSuppressionRecord.of(after),
  });
}
