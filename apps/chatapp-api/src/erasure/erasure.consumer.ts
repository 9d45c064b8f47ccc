import { Injectable } from '@nestjs/common';
import { erasureQueue, personErasureRequested, type EventOf } from '@heliograph/contracts';
import { clientOf, inIdRanges } from '@heliograph/database';
import { Consumes } from '@heliograph/messaging';
import { Erasures, type ErasedPerson } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { DataSource } from 'typeorm';

/**
 * Erases a person from the messages and consents of an organization. The charges in the ledger are retained.
 */
@Injectable()
export class ErasureConsumer {
  constructor(
    private readonly pool: Pool,
    private readonly dataSource: DataSource,
    private readonly erasures: Erasures,
  ) {}

  @Consumes(personErasureRequested, { queue: erasureQueue('chatapp-api'), concurrency: 1 })
  erase({ data }: EventOf<typeof personErasureRequested>): Promise<void> {
    return this.erasures.run('chatapp-api', data.erasureId, async (person) => {
      if (person.kind === 'phone') await this.mask(person);
    });
  }

  private async mask({ erasureId, organizationId, value, mask, requestedAt }: ErasedPerson): Promise<void> {
    const numbers = await this.numbersOf(value);
    await this.dataSource.transaction(async (transaction) => {
      const client = await clientOf(transaction);
      const { rows } = await client.query<{ status: string }>(
        `DELETE FROM chatapp.consents WHERE organization_id = $1 AND number = ANY ($2) AND updated_at <= $3
         RETURNING status`,
        [organizationId, numbers, requestedAt],
      );
      const isOptedOut = rows.some(({ status }) => status === 'opted_out');
      await this.erasures.block(transaction, erasureId, isOptedOut ? ['chatapp'] : []);
    });
    let isShared = false;
    await inIdRanges(this.pool, 'chatapp.messages', async (after, upTo) => {
      await this.pool.query(
        `UPDATE chatapp.messages SET payload = NULL, media_id = NULL, error = NULL,
           recipient = CASE WHEN direction = 'outbound' THEN $5 ELSE recipient END,
           sender = CASE WHEN direction = 'inbound' THEN $5 ELSE sender END
         WHERE id > $1 AND id <= $2 AND organization_id = $3 AND created_at <= $6
           AND CASE WHEN direction = 'outbound' THEN recipient ELSE sender END = ANY ($4)`,
        [after, upTo, organizationId, numbers, mask, requestedAt],
      );
      const { rowCount } = await this.pool.query(
        `SELECT FROM chatapp.messages WHERE id > $1 AND id <= $2
           AND CASE WHEN direction = 'outbound' THEN recipient ELSE sender END = ANY ($3) LIMIT 1`,
        [after, upTo, numbers],
      );
      isShared ||= rowCount !== 0;
    });
    await this.forget(organizationId, numbers, isShared);
  }

  /**
   * The state of the conversation window belongs to the business account, which all organizations share. If others need it, or later
   * messages do, only its assignment is removed.
   */
  private async forget(organizationId: string, numbers: readonly string[], isShared: boolean): Promise<void> {
    if (isShared) {
      await this.pool.query(
        'UPDATE chatapp.numbers SET organization_id = NULL, workspace_id = NULL WHERE organization_id = $1 AND number = ANY ($2)',
        [organizationId, numbers],
      );
      return;
    }
    await this.pool.query('DELETE FROM chatapp.numbers WHERE number = ANY ($1)', [numbers]);
    await this.pool.query('DELETE FROM chatapp.number_aliases WHERE number = ANY ($1) OR upstream_number = ANY ($1)', [
      numbers,
    ]);
  }

  /** The provider may use a different form of the dialed number. */
  private async numbersOf(value: string): Promise<string[]> {
    const { rows } = await this.pool.query<{ number: string }>(
      `SELECT upstream_number AS number FROM chatapp.number_aliases WHERE number = $1
       UNION SELECT number FROM chatapp.number_aliases WHERE upstream_number = $1`,
      [value],
    );
    return [value, ...rows.map(({ number }) => number)];
  }
}
