import { Injectable } from '@nestjs/common';
import { ApiKey } from '@heliograph/auth';
import { isId, type Changed } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { Workspace } from '@heliograph/tenancy';
import type { EntityManager } from 'typeorm';
import { TrackingSetting, type Tracking } from './tracking-setting.entity';

export interface TrackingSubject {
  kind: 'workspace' | 'key';
  id: string;
}

/** Whether opens and clicks are followed. A mail is followed where its workspace and its key both allow it. */
@Injectable()
export class TrackingSettings {
  /** Throws NOT_FOUND for what is not the organization's. */
  async get(transaction: EntityManager, organizationId: string, subject: TrackingSubject): Promise<Tracking> {
    await refuseForeign(transaction, organizationId, subject);
    const setting = await transaction.getRepository(TrackingSetting).findOneBy({ subjectId: subject.id });
    return { opens: setting?.opens ?? true, clicks: setting?.clicks ?? true };
  }

  /** What is left out stays. Throws NOT_FOUND. */
  async put(
    transaction: EntityManager,
    organizationId: string,
    subject: TrackingSubject,
    { opens, clicks }: Partial<Tracking>,
  ): Promise<Changed<Tracking>> {
    const before = await this.get(transaction, organizationId, subject);
    const after = { opens: opens ?? before.opens, clicks: clicks ?? before.clicks };
    await transaction
      .getRepository(TrackingSetting)
      .upsert({ subjectId: subject.id, organizationId, ...after }, ['subjectId']);
    return { before, after };
  }
}

/** Somebody else's setting would otherwise be there for the taking: it is found by its subject alone. */
async function refuseForeign(
  transaction: EntityManager,
  organizationId: string,
  { kind, id }: TrackingSubject,
): Promise<void> {
  const owners = transaction.getRepository<Workspace | ApiKey>(kind === 'workspace' ? Workspace : ApiKey);
  if (isId(id) && (await owners.existsBy({ id, organizationId }))) return;
  throw new AppError('NOT_FOUND', `There is no such ${kind}.`);
}
