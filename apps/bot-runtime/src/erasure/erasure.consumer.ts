import { Injectable } from '@nestjs/common';
import { erasePerson } from '@heliograph/bot-conversations';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { Consumes } from '@heliograph/messaging';
import { Erasures } from '@heliograph/tenancy';
import { Pool } from 'pg';

@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly erasures: Erasures,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('bot-runtime'), concurrency: 1 })
  erase({ data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('bot-runtime', data.erasureId, (person) => erasePerson(this.pool, person));
  }
}
