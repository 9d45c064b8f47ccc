import { Injectable } from '@nestjs/common';
import { eraseFromAuditLog, Erasures } from '@heliograph/tenancy';
import { eraseContacts } from '@heliograph/contacts';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { Consumes, TryAgainLater } from '@heliograph/messaging';
import { ERASURE_SETTLE_MS, EventErasure } from '@heliograph/webhooks';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';
import { eraseFromAnswers } from './erase-answers';
import { ReportRetention } from '../../insight/reports/report-retention';

/**
 * Erases a person from contacts, reports, the event log of the webhooks, the audit log and stored responses. Members of the organization are removed by
 * their owner instead.
 */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly dataSource: DataSource,
    private readonly pool: Pool,
    private readonly erasures: Erasures,
    private readonly events: EventErasure,
    private readonly reports: ReportRetention,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('account-api'), concurrency: 1 })
  erase({ time, data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('account-api', data.erasureId, async (person) => {
      await eraseContacts(this.dataSource, person, (transaction, optedOut) =>
        this.erasures.block(transaction, person.erasureId, optedOut),
      );
      await eraseFromAuditLog(this.pool, person);
      await eraseFromAnswers(this.pool, person);
      await this.reports.erase(person.organizationId, person.value, person.mask);
      const isSettled = Date.now() - Date.parse(time) >= ERASURE_SETTLE_MS;
      await this.events.erase(person, await this.otherForms(person.value), !isSettled);
      if (!isSettled) throw new TryAgainLater(ERASURE_SETTLE_MS, 'earlier events of the person are being stored');
    });
  }

  /** The chat-app provider may use a different form of the dialed number. */
  private async otherForms(value: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ number: string }>(
      `SELECT upstream_number AS number FROM chatapp.number_aliases WHERE number = $1
       UNION SELECT number FROM chatapp.number_aliases WHERE upstream_number = $1`,
      [value],
    );
    return rows.map(({ number }) => number);
  }
}
