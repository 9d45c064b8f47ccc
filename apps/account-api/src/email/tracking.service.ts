import { Inject, Injectable } from '@nestjs/common';
import { given } from '@heliograph/database';
import { TrackingSettings, type TrackingSubject } from '@heliograph/email-catalog';
import { DataSource } from 'typeorm';
import type { Caller } from '../access/caller';
import { Writes, type WriteCall } from '../writes/writes.service';
import type { EmailTracking, SetEmailTrackingRequest } from './tracking.dto';

/** Whether opens and clicks are followed, on the record. */
@Injectable()
export class EmailTrackingService {
  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(TrackingSettings) private readonly settings: TrackingSettings,
    @Inject(Writes) private readonly writes: Writes,
  ) {}

  one({ organizationId }: Caller, subject: TrackingSubject): Promise<EmailTracking> {
    return this.settings.get(this.dataSource.manager, organizationId, subject);
  }

  set(
    call: WriteCall,
    { organizationId }: Caller,
    subject: TrackingSubject,
    { opens, clicks }: SetEmailTrackingRequest,
  ): Promise<EmailTracking> {
    return this.writes.run(call, async ({ transaction, record }) => {
      const asked = given({ opens, clicks });
      const { before, after } = await this.settings.put(transaction, organizationId, subject, asked);
      await record({
        organizationId,
        workspaceId: subject.kind === 'workspace' ? subject.id : null,
        action: 'email.tracking.changed',
        target: { type: subject.kind === 'workspace' ? 'workspace' : 'apikey', id: subject.id },
        before,
        after,
      });
      return after;
    });
  }
}
