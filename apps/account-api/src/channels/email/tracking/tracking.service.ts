import { Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { TrackingSettings, type TrackingSubject } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import { UnitOfWork, type Write } from '@heliograph/tenancy';
import type { Caller } from '../../../access/caller';
import type { OneEmailTracking, SetEmailTrackingRequest } from './tracking.dto';

/** Manages the tracking of opens and clicks; each write is audited. */
@Injectable()
export class EmailTrackingService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly settings: TrackingSettings,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async get({ organizationId }: Caller, subject: TrackingSubject): Promise<OneEmailTracking> {
    return { tracking: await this.settings.get(this.dataSource.manager, organizationId, subject) };
  }

  set(
    write: Write,
    { organizationId }: Caller,
    subject: TrackingSubject,
    { opens, clicks }: SetEmailTrackingRequest,
  ): Promise<OneEmailTracking> {
    return this.unitOfWork.run(write, async ({ transaction, audit }) => {
      const changes = given({ opens, clicks });
      const { before, after } = await this.settings.put(transaction, organizationId, subject, changes);
      await audit({
        organizationId,
        workspaceId: subject.kind === 'workspace' ? subject.id : null,
        action: 'email.tracking.changed',
        target: { type: subject.kind === 'workspace' ? 'workspace' : 'apikey', id: subject.id },
        before,
        after,
      });
      return { tracking: after };
    });
  }
}
