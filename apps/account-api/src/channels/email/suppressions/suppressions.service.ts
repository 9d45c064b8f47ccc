import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { Suppressions, type EmailSuppression } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import { AuditedKind, UnitOfWork, type Write } from '@heliograph/tenancy';
import { pageOf } from '@heliograph/service-kit';
import type { Caller } from '../../../access/caller';
import { LIMITED } from '../../../unit-of-work/limited-kinds';
import {
  EmailSuppressionPage,
  EmailSuppressionRecord,
  OneEmailSuppression,
  type CreateEmailSuppressionRequest,
  type EmailSuppressionQuery,
} from './suppressions.dto';

const EMAIL_SUPPRESSION = new AuditedKind<EmailSuppression>(
  'email.suppression',
  ({ addressKey: id, organizationId }) => ({ id, organizationId }),
  EmailSuppressionRecord.of,
);

/** Manages the suppressions of an organization; each write is audited. */
@Injectable()
export class EmailSuppressionsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly suppressions: Suppressions,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async list({ organizationId }: Caller, query: EmailSuppressionQuery): Promise<EmailSuppressionPage> {
    const filter = given({ address: query.address, scope: query.scope, reason: query.reason });
    return EmailSuppressionPage.of(
      await this.suppressions.list(this.dataSource.manager, organizationId, pageOf(query), filter),
    );
  }

  /** Adds a suppression. An existing suppression with a stronger reason is not changed. */
  create(write: Write, { organizationId }: Caller, body: CreateEmailSuppressionRequest): Promise<OneEmailSuppression> {
    return this.unitOfWork.run(write, async ({ transaction, assertRoom, auditChange }) => {
      const { address, scope } = body;
      const first = { limit: 1, after: null };
      const [before] = (await this.suppressions.list(transaction, organizationId, first, { address, scope })).items;
      if (!before) await assertRoom({ organizationId, kind: LIMITED.emailSuppressions });
      const after = await this.suppressions.add(transaction, organizationId, body);
      await auditChange(EMAIL_SUPPRESSION, before ? 'changed' : 'created', { ...(before ? { before } : {}), after });
      return OneEmailSuppression.of(after);
    });
  }

  remove(write: Write, { organizationId }: Caller, address: string, scope?: string): Promise<OneEmailSuppression> {
    const removed = { kind: EMAIL_SUPPRESSION, done: 'removed', answer: OneEmailSuppression.of };
    return this.unitOfWork.change(write, removed, async (transaction) => ({
      before: await this.suppressions.remove(transaction, organizationId, address, scope),
    }));
  }
}
