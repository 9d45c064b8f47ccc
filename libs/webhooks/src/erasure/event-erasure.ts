import { Injectable } from '@nestjs/common';
import { ErasedPersons, type ErasedPerson } from '@heliograph/tenancy';
import { Pool } from 'pg';
import { createdAtOf, maskPerson, personIdsOf, type PersonMask } from './mask-person';
import { personAddressOf } from './person-address';

/** Events that one statement examines. */
const BATCH = 1_000;
/**
 * Deletion events contain the contact in full for this time, so that receivers can delete the same person. Shorter than
 * `ERASURE_SETTLE_MS`.
 */
const NOTICE_MS = 3_000;
/** Time after which all events that were published before an erasure are stored. */
export const ERASURE_SETTLE_MS = 5_000;

/** The person to erase from what existed at the time of the request. */
interface DatedMask extends PersonMask {
  requestedAt: Date;
}

interface StoredBody {
  id: string;
  type: string;
  at: Date;
  body: string;
}

/** Erases persons from the event log. Deliveries refer to the log, so later attempts contain the masked body. */
@Injectable()
export class EventErasure {
  constructor(
    private readonly pool: Pool,
    private readonly persons: ErasedPersons,
  ) {}

  /**
   * Masks the events of a person. `otherForms`: the number in the notation of a provider. With `keepsNotices`,
   * deletion events are masked in a later call. Can be repeated.
   */
  async erase(person: ErasedPerson, otherForms: readonly string[], keepsNotices: boolean): Promise<void> {
    const { organizationId, kind, value, mask, requestedAt } = person;
    const values = new Set([value, ...otherForms]);
    const ids = new Set<string>();
    const isOf = (text: string): boolean => {
      const address = personAddressOf(text);
      return address !== null && address.kind === kind && values.has(address.value);
    };
    const masks: DatedMask = { ids, mask, requestedAt, maskOf: (text) => (isOf(text) ? mask : null) };
    // Providers write numbers without a plus sign.
    await this.sweep(
      organizationId,
      masks,
      ids,
      [...values].map((one) => one.replace(/^\+/, '')),
      keepsNotices,
    );
    // Events that contain only the id of the contact or of a conversation.
    if (ids.size > 0) await this.sweep(organizationId, masks, ids, [...ids], keepsNotices);
  }

  /** The data of a new event, without persons who were erased after its record was created. */
  async withoutErased(organizationId: string, type: string, time: Date, data: object): Promise<object> {
    if (type === 'contact.deleted' && Date.now() - time.getTime() < NOTICE_MS) return data;
    const createdAt = createdAtOf(type, data, time);
    const texts = new Set<string>();
    const collect = (text: string): null => {
      texts.add(text);
      return null;
    };
    maskPerson(type, data, { ids: new Set(), mask: '', maskOf: collect });
    const found = new Map<string, string>();
    for (const text of texts) {
      const address = personAddressOf(text);
      const mask = address && (await this.persons.maskOf(organizationId, address, createdAt));
      if (mask) found.set(text, mask);
    }
    if (found.size === 0) return data;
    const masks = { ids: new Set<string>(), mask: '', maskOf: (text: string) => found.get(text) ?? null };
    return maskPerson(type, data, masks) ?? data;
  }

  private async sweep(
    organizationId: string,
    masks: DatedMask,
    ids: Set<string>,
    needles: readonly string[],
    keepsNotices: boolean,
  ): Promise<void> {
    const { rows: streams } = await this.pool.query<{ first: string; last: string }>(
      `SELECT (SELECT coalesce(min(e.sequence), 1) - 1 FROM webhooks.events AS e WHERE e.organization_id = $1) AS first,
         s.last_sequence AS last FROM webhooks.streams AS s WHERE s.organization_id = $1`,
      [organizationId],
    );
    const [stream] = streams;
    if (!stream) return;
    for (let from = Number(stream.first); from < Number(stream.last); from += BATCH) {
      const { rows } = await this.pool.query<StoredBody>(
        // Form answers contain addresses in any notation.
        `SELECT e.id, e.type, e.created_at AS at, e.body::text AS body FROM webhooks.events AS e
         WHERE e.organization_id = $1 AND e.sequence > $2 AND e.sequence <= $3 AND ($5 OR e.type <> 'contact.deleted')
           AND (e.type = 'lead.captured'
             OR EXISTS (SELECT FROM unnest($4::text[]) AS n (text) WHERE strpos(lower(e.body::text), n.text) > 0))`,
        [organizationId, from, from + BATCH, needles, !keepsNotices],
      );
      const masked = rows.flatMap(({ id, type, at, body }) => {
        const event = JSON.parse(body) as { data: object };
        if (createdAtOf(type, event.data, at) > masks.requestedAt) return [];
        const data = maskPerson(type, event.data, masks);
        if (data === null) return [];
        for (const known of personIdsOf(type, event.data)) ids.add(known);
        return [{ id, body: JSON.stringify({ ...event, data }) }];
      });
      if (masked.length > 0) await this.store(organizationId, masked);
    }
  }

  /** Also clears stored responses, because a receiver may echo the delivered data. */
  private async store(organizationId: string, events: { id: string; body: string }[]): Promise<void> {
    await this.pool.query(
      `WITH given AS (SELECT * FROM json_to_recordset($2) AS g (id uuid, body text)),
       masked AS (UPDATE webhooks.events AS e SET body = g.body::json FROM given AS g WHERE e.id = g.id)
       UPDATE webhooks.deliveries AS d SET attempts = (
         SELECT jsonb_agg(a.attempt || '{"response_body": null}' ORDER BY a.place)
         FROM jsonb_array_elements(d.attempts) WITH ORDINALITY AS a (attempt, place))
       WHERE d.subscription_id IN (SELECT s.id FROM webhooks.subscriptions AS s WHERE s.organization_id = $1)
         AND d.event_id IN (SELECT g.id FROM given AS g) AND d.attempts <> '[]'`,
      [organizationId, JSON.stringify(events)],
    );
  }
}
