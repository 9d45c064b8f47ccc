import { Inject, Injectable } from '@nestjs/common';
import { Periodic } from '@heliograph/service-kit';
import { Pool, type QueryResult } from 'pg';
import { CARRIERS } from '../carriers/carrier-pool';
import type { SmppCarrier } from '../carriers/smpp/smpp-carrier';
import { possibleIds, type ReceiptIdNotation } from '../carriers/smpp/receipts/upstream-id';

const BATCH_SIZE = 1_000;
/** Time between the last response of a submit and its storage. */
const RECORD_MARGIN_MS = 5_000;
/**
 * Maximum time between submit and receipt while the notation is not detected. Without the limit, a receipt whose own
 * message was never recorded would match an old message, if the carrier assigns consecutive numbers.
 */
const MAX_UNDETECTED_DELAY_MS = 3_600_000;

type ReceiptIdSource = Pick<SmppCarrier, 'name' | 'storedReceiptIdNotation' | 'longestSubmitMs'>;

interface StoredReceipt {
  id: string;
  upstream_id: string;
}

/**
 * Converts the ids of unmatched receipts that a process stored before it detected the notation of receipt ids, if the
 * process stopped before the detection. A process that still runs converts its own, see `UnmatchedReceiptsService`.
 *
 * An id is converted if exactly one notation gives the id of a message of the same carrier that was submitted before
 * the receipt. Then `UnmatchedReceiptsService` matches the receipt.
 */
@Injectable()
export class UnconvertedReceiptsService {
  constructor(
    private readonly pool: Pool,
    @Inject(CARRIERS) private readonly carriers: { readonly carriers: readonly ReceiptIdSource[] },
  ) {}

  @Periodic({ everyMs: 60_000, role: 'worker' })
  async convert(): Promise<void> {
    for (const carrier of this.carriers.carriers) {
      const notation = carrier.storedReceiptIdNotation;
      if (notation !== 'same') await this.convertReceiptsOf(carrier, notation);
    }
  }

  private async convertReceiptsOf(carrier: ReceiptIdSource, notation: ReceiptIdNotation): Promise<void> {
    // A younger receipt may have arrived before its submit was stored.
    const minAgeMs = carrier.longestSubmitMs + RECORD_MARGIN_MS;
    let lastId: string | undefined = '0';
    while (lastId !== undefined) {
      const { rows }: QueryResult<StoredReceipt> = await this.pool.query<StoredReceipt>(
        `SELECT id, upstream_id FROM sms.unmatched_receipts
         WHERE carrier = $1 AND id > $2 AND received_at < now() - $3 * interval '1 millisecond' ORDER BY id LIMIT $4`,
        [carrier.name, lastId, minAgeMs, BATCH_SIZE],
      );
      await this.convertBatch(carrier, notation, rows, minAgeMs);
      lastId = rows[BATCH_SIZE - 1]?.id;
    }
  }

  private async convertBatch(
    { name }: ReceiptIdSource,
    notation: ReceiptIdNotation,
    batch: readonly StoredReceipt[],
    minAgeMs: number,
  ): Promise<void> {
    const candidates = batch.flatMap(({ id, upstream_id: stored }) =>
      possibleIds(stored, notation).map((possible) => ({ id, stored, possible })),
    );
    // Compares the newest message with an id, because carriers reuse ids.
    await this.pool.query(
      `WITH known AS (
         SELECT k.id, c.stored, c.possible,
           $6::integer IS NULL OR m.sent_at > k.received_at - $6 * interval '1 millisecond' AS in_time
         FROM unnest($2::bigint[], $3::text[], $4::text[]) AS c (id, stored, possible)
         JOIN sms.unmatched_receipts AS k ON k.id = c.id
         CROSS JOIN LATERAL (
           SELECT p.message_id FROM sms.parts AS p WHERE p.upstream_id = c.possible AND p.carrier = $1
           ORDER BY p.message_id DESC LIMIT 1) AS p
         JOIN sms.messages AS m ON m.id = p.message_id
         WHERE m.sent_at < k.received_at + $5 * interval '1 millisecond'
       ), single AS (
         SELECT id, min(stored) AS stored, min(possible) AS possible FROM known
         GROUP BY id HAVING count(*) = 1 AND bool_and(in_time)
       )
       UPDATE sms.unmatched_receipts AS k SET upstream_id = s.possible
       FROM single AS s WHERE k.id = s.id AND k.upstream_id = s.stored AND s.possible <> s.stored`,
      [
        name,
        candidates.map(({ id }) => id),
        candidates.map(({ stored }) => stored),
        candidates.map(({ possible }) => possible),
        minAgeMs,
        notation === 'auto' ? MAX_UNDETECTED_DELAY_MS : null,
      ],
    );
  }
}
