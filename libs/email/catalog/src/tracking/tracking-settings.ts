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

/** Whether opens and clicks are tracked. A mail is tracked if both its workspace and its key allow it. */
@Injectable()
export class TrackingSettings {
  /** Throws NOT_FOUND for a subject of another organization. */
  async get(transaction: EntityManager, organizationId: string, subject: TrackingSubject): Promise<Tracking> {
    await refuseForeign(transaction, organizationId, subject);
    const setting = await transaction.getRepository(TrackingSetting).findOneBy({ subjectId: subject.id });
    return { opens: setting?.opens ?? true, clicks: setting?.clicks ?? true };
  }

  /** Changes the given values. Throws NOT_FOUND. */
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

/** Required because a setting is found by its subject id only, without the organization. */
async function refuseForeign(
  transaction: EntityManager,
  organizationId: string,
  { kind, id }: TrackingSubject,
): Promise<void> {
  const owners = transaction.getRepository<Workspace | ApiKey>(kind === 'workspace' ? Workspace : ApiKey);
  if (isId(id) && (await owners.existsBy({ id, organizationId }))) return;
  throw new AppError('NOT_FOUND', `The ${kind} was not found in this organization.`);
}
