import { Injectable } from '@nestjs/common';
import { eraseFromAuditLog } from '@heliograph/audit';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { Erasures } from '@heliograph/persons';
import { Pool } from 'pg';

/** Erases a person from the audit log. Members of the organization are removed by their owner instead. */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly erasures: Erasures,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('account-api'), concurrency: 1 })
  erase({ data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('account-api', data.erasureId, (person) => eraseFromAuditLog(this.pool, person));
  }
}
