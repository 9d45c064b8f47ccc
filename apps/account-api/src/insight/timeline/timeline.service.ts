import { Injectable } from '@nestjs/common';
import { isId } from '@heliograph/database';
import { findTraces } from '@heliograph/messaging';
import { parseTraceparent, v1NotFound, v1Timestamp } from '@heliograph/service-kit';
import { DeliveriesRepository } from '@heliograph/webhooks';
import { Pool } from 'pg';
import type { Caller } from '../../access/caller';
import { botTimeline } from './bot-timeline';
import { chatappTimeline } from './chatapp-timeline';
import { emailTimeline } from './email-timeline';
import { smsTimeline } from './sms-timeline';
import type { StoredTimeline, TimelineEntry } from './timeline-entry';
import type { TimelineChannel, TimelineType, V1Timeline, V1TimelineEvent } from './timeline.dto';
import { MAX_DELIVERIES, webhookEntry } from './webhook-entries';

type ReadTimeline = (pool: Pool, owner: [string, string, string | null]) => Promise<StoredTimeline | null>;

const CHANNELS: Readonly<Record<TimelineChannel, ReadTimeline>> = {
  sms: smsTimeline,
  email: emailTimeline,
  chatapp: chatappTimeline,
  bots: botTimeline,
};
/** Order of events with the same timestamp: causes precede their effects. */
const ORDER: readonly TimelineType[] = [
  ...(['accepted', 'checked', 'charged', 'scheduled', 'queued', 'claimed', 'received', 'attempted'] as const),
  ...(['deferred', 'sent', 'lead_captured', 'handoff_requested', 'answered'] as const),
];

/** The ledger entry that is committed together with an event. */
const LEDGER_TYPE: Partial<Record<TimelineType, TimelineType>> = {
  queued: 'charged',
  scheduled: 'charged',
  canceled: 'refunded',
};

/** Assembles the timeline of a message from the tables of its channel and from the ledger. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly pool: Pool,
    private readonly deliveries: DeliveriesRepository,
  ) {}

  /** Throws NOT_FOUND. */
  async read({ organizationId, boundWorkspaceId }: Caller, id: string): Promise<V1Timeline> {
    if (!isId(id)) throw v1NotFound('message');
    for (const [channel, readStored] of Object.entries(CHANNELS) as [TimelineChannel, ReadTimeline][]) {
      const stored = await readStored(this.pool, [id, organizationId, boundWorkspaceId]);
      if (!stored) continue;
      const ledger = await this.ledgerEntries(stored.references);
      const deliveries = await this.deliveries.listOfSubjects(organizationId, stored.subjects ?? [id], MAX_DELIVERIES);
      const entries = [
        ...stored.entries.map((entry) => notBefore(ledger, entry)),
        ...ledger,
        ...deliveries.map(webhookEntry),
      ];
      const traceId = await this.traceIdOf(organizationId, stored);
      return {
        id,
        channel,
        status: stored.status,
        ...(traceId && { trace_id: traceId }),
        events: eventsOf(entries),
      };
    }
    throw v1NotFound('message');
  }

  private async traceIdOf(organizationId: string, { entries }: StoredTimeline): Promise<string | undefined> {
    const requestIds = entries.map(({ details }) => details?.['request_id']);
    const requestId = requestIds.find((id) => typeof id === 'string');
    if (requestId === undefined) return undefined;
    const traces = await findTraces(this.pool, [requestId]);
    return parseTraceparent(traces.of({ organizationId, requestId }))?.traceId;
  }

  private async ledgerEntries(references: string[]): Promise<TimelineEntry[]> {
    const { rows } = await this.pool.query<{ kind: string; amount: string; id: string; reference: string; at: Date }>(
      `SELECT id, kind, amount, reference, created_at AS at FROM credits.ledger
       WHERE reference = ANY ($1) AND kind IN ('charge', 'refund') ORDER BY position`,
      [references],
    );
    return rows.map(({ kind, amount, id, reference, at }): TimelineEntry => {
      const credits = Math.abs(Number(amount));
      const isCharge = kind === 'charge';
      return {
        at,
        type: isCharge ? 'charged' : 'refunded',
        summary: `The ${isCharge ? 'charge' : 'refund'} was ${credits} ${credits === 1 ? 'credit' : 'credits'}.`,
        details: { ledger_id: id, reference, amount: Number(amount) },
      };
    });
  }
}

/** An event and its ledger entry are committed together. The event gets the time of the ledger entry if its own time is earlier. */
function notBefore(ledger: readonly TimelineEntry[], entry: TimelineEntry): TimelineEntry {
  const type = LEDGER_TYPE[entry.type];
  const cause = type && ledger.find((one) => one.type === type);
  return cause?.at && entry.at && entry.at < cause.at ? { ...entry, at: cause.at } : entry;
}

function eventsOf(entries: readonly TimelineEntry[]): V1TimelineEvent[] {
  const rank = ({ type }: TimelineEntry): number => (ORDER.includes(type) ? ORDER.indexOf(type) : ORDER.length);
  return entries
    .flatMap((entry) => (entry.at === null ? [] : [{ ...entry, at: entry.at }]))
    .sort((one, other) => one.at.getTime() - other.at.getTime() || rank(one) - rank(other))
    .map(({ at, type, summary, details = {} }) => ({ at: v1Timestamp(at), type, summary, details }));
}
