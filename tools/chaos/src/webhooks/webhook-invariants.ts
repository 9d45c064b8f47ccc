import { EVENT_TYPES, eventIdOf } from '@heliograph/webhooks';
import type { EventRecorder, RecordedEvent } from '../event-recorder';
import type { InvariantChecker } from '../invariant-checker';
import { untilDone } from '../settle';
import type { WebhookReceiver } from './webhook-receiver';
import type { WebhookWorkload } from './webhook-workload';

const SETTLE_MS = 120_000;
const STORED = 'SELECT id FROM webhooks.events';

/**
 * Makes retries due now, and ends the leases of crashed workers, whose leases would otherwise expire only after minutes. A
 * running worker renews a lease of 30 seconds every 10 seconds.
 */
const MAKE_DUE = `
  WITH ended AS (
    UPDATE webhooks.subscriptions SET open_until = least(open_until, now()),
      leased_until = CASE WHEN leased_until < now() + interval '10 seconds' THEN now() ELSE leased_until END
    WHERE open_until > now() OR leased_until < now() + interval '10 seconds')
  UPDATE webhooks.queue SET due_at = now() WHERE due_at > now()`;

/** What the checks compare. */
export interface WebhookRun {
  webhooks: WebhookWorkload;
  receiver: WebhookReceiver;
  events: EventRecorder;
}

/** Waits until the events of the bus are stored and all deliveries are made. */
export async function untilDelivered(checker: InvariantChecker, run: WebhookRun): Promise<void> {
  await untilDone(
    async () => {
      await checker.database.query(MAKE_DUE);
      const [pending] = await checker.column('SELECT count(*) FROM webhooks.queue');
      const stored = new Set(await checker.column(STORED));
      return Number(pending) + missingOf(run, stored, await readPositions(checker)).length;
    },
    { timeoutMs: SETTLE_MS, everyMs: 500 },
  );
}

/**
 * Every event of the bus is stored once, every stored event comes from the bus, each feed returns them without a gap and in
 * their order, and every endpoint got each of them under its one id.
 */
export async function checkWebhooks(checker: InvariantChecker, run: WebhookRun): Promise<void> {
  const { webhooks, receiver, events } = run;
  const stored = await checker.column(STORED);
  const positions = await readPositions(checker);
  const missing = missingOf(run, new Set(stored), positions);
  checker.add(missing.map((event) => `an event of the bus is not stored: ${event}`));
  const known = new Set(events.all().flatMap((event) => idsOf(event, positions)));
  checker.add(stored.filter((id) => !known.has(id)).map((id) => `a stored event is not on the bus: ${id}`));
  await checker.noRows(
    'event logs with gaps',
    `SELECT s.organization_id, s.last_sequence, count(e.id), min(e.sequence), max(e.sequence)
     FROM webhooks.streams AS s LEFT JOIN webhooks.events AS e USING (organization_id) GROUP BY 1, 2
     HAVING count(e.id) <> s.last_sequence OR count(DISTINCT e.sequence) <> s.last_sequence OR min(e.sequence) <> 1
       OR max(e.sequence) <> s.last_sequence`,
  );
  await checker.noRows(
    'deliveries that are not made',
    `SELECT d.id, d.status, d.attempts FROM webhooks.deliveries AS d WHERE d.status <> 'delivered'`,
  );
  await checker.noRows(
    'events with several deliveries to an endpoint',
    'SELECT subscription_id, event_id FROM webhooks.deliveries GROUP BY 1, 2 HAVING count(*) > 1',
  );
  checker.add([...webhooks.problems, ...receiver.problems]);
  const organizationIds = await webhooks.organizationIds(checker.database);
  for (const { path, organization } of webhooks.subscriptions) {
    await checkEndpoint(checker, run, path, organizationIds[organization] ?? '');
  }
  for (const feed of webhooks.feeds) {
    await feed.readRest();
    checker.add(feed.problems);
    const expected = await checker.column(
      `SELECT 'evt_' || id FROM webhooks.events WHERE organization_id = $1 ORDER BY sequence`,
      [organizationIds[feed.organization]],
    );
    const wrong = expected.findIndex((id, index) => feed.ids[index] !== id);
    if (wrong < 0 && feed.ids.length === expected.length) continue;
    checker.add([
      `the feed of organization ${feed.organization} returned ${feed.ids.length} of ${expected.length} events; ` +
        `it differs at ${wrong}: ${feed.ids[wrong]}, expected ${expected[wrong]}`,
    ]);
  }
}

/** The endpoint got every event since the subscription, as it is stored, and nothing else. */
async function checkEndpoint(
  checker: InvariantChecker,
  { webhooks, receiver }: WebhookRun,
  path: string,
  organizationId: string,
): Promise<void> {
  const read = (since: Date): Promise<string[]> =>
    checker.column(
      `SELECT 'evt_' || id || ' ' || body::text FROM webhooks.events WHERE organization_id = $1 AND created_at >= $2`,
      [organizationId, since],
    );
  const expected = await read(webhooks.subscribedAt);
  const stored = new Set(await read(new Date(0)));
  const received = receiver.entriesAt(path);
  const got = new Set(received);
  checker.add(expected.filter((entry) => !got.has(entry)).map((entry) => `${path} did not get ${entry.slice(0, 80)}`));
  checker.add(received.filter((entry) => !stored.has(entry)).map((entry) => `${path} got ${entry.slice(0, 80)}`));
}

/** The positions of the recipients that an email was accepted for, in their order, by its id. */
type Positions = ReadonlyMap<string, readonly number[]>;

async function readPositions({ database }: InvariantChecker): Promise<Positions> {
  const { rows } = await database.query<{ id: string; positions: number[] }>(
    `SELECT message_id AS id, array_agg(position ORDER BY position) AS positions FROM email.recipients
     WHERE state <> 'skipped' GROUP BY message_id`,
  );
  return new Map(rows.map(({ id, positions }) => [id, positions]));
}

/** The ids of the events that are stored for an event of the bus: one for each recipient of a queued email. */
function idsOf({ id, type, time, data }: RecordedEvent, positions: Positions): string[] {
  const at = new Date(time);
  if (type !== 'email.queued') return [eventIdOf(id, at)];
  const ofEmail = positions.get(String(data['messageId'])) ?? [];
  return ofEmail.map((position, index) => eventIdOf(index === 0 ? id : `${id}:${position}`, at));
}

/** Events of the bus that have to be stored and are not. */
function missingOf({ webhooks, events }: WebhookRun, stored: ReadonlySet<string>, positions: Positions): string[] {
  return events
    .all()
    .filter(
      ({ type, time, organizationId }) =>
        organizationId !== null && type in EVENT_TYPES && new Date(time) >= webhooks.subscribedAt,
    )
    .filter((event) => !idsOf(event, positions).every((id) => stored.has(id)))
    .map(({ id, type, time }) => `${type} ${id} of ${time}, subscribed at ${webhooks.subscribedAt.toISOString()}`);
}
