import { Injectable } from '@nestjs/common';
import { eraseFromAuditLog } from '@heliograph/audit';
import { eraseContacts } from '@heliograph/contacts';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { Erasures } from '@heliograph/persons';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';

/** Erases a person from contacts and the audit log. Members of the organization are removed by their owner instead. */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly erasures: Erasures,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('account-api'), concurrency: 1 })
  erase({ data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('account-api', data.erasureId, async (person) => {
      await eraseContacts(this.dataSource, person);
      await eraseFromAuditLog(this.pool, person);
    });
  }
}
