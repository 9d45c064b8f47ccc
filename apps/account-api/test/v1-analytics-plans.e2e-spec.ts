import { blockPlanOf, RollupsRepository, type Range } from '@heliograph/analytics';
import { firstIdOf, newId, poolOf } from '@heliograph/database';
import type { Pool, QueryResult } from 'pg';
import type { Report } from '../src/insight/reports/report';
import { CHATAPP_MESSAGES } from '../src/insight/reports/sources/chatapp-messages';
import { CONTACTS } from '../src/insight/reports/sources/contacts';
import { EMAIL_EVENTS } from '../src/insight/reports/sources/email-events';
import { EMAIL_MESSAGES } from '../src/insight/reports/sources/email-messages';
import { statementOf } from '../src/insight/reports/sources/keyset-source';
import { SMS_MESSAGES } from '../src/insight/reports/sources/sms-messages';
import { AccountFixture } from './account-fixture';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Total Cost': number;
  Plans?: PlanNode[];
}

const DAY_MS = 86_400_000;

/** The organization shares its tables with larger organizations. */
describe('the query plans of analytics and reports', () => {
  let fixture: AccountFixture;
  let pool: Pool;
  const organizationId = newId();
  beforeAll(async () => {
    fixture = await AccountFixture.start();
    pool = poolOf(fixture.factory.dataSource);
    const organizations = [organizationId, newId(), newId()];
    for (const [table, figures] of [
      ['sms_rollups', 6],
      ['email_rollups', 11],
      ['chatapp_rollups', 7],
      ['bots_rollups', 4],
      ['credits_rollups', 5],
    ] as const) {
      await fixture.database.query(
        `INSERT INTO analytics.${table}
         SELECT o, d, 'hour', t, o, d, ${Array(figures).fill('1').join(', ')}
         FROM unnest($1::uuid[]) AS o, unnest(ARRAY['total', 'country', 'domain']) AS d,
           generate_series(now() - interval '200 days', now(), '1 hour') AS t`,
        [organizations],
      );
    }
    await fixture.database.query(
      `INSERT INTO analytics.sms_latencies
       SELECT o, d, 'hour', t, o, d, b, 1 FROM unnest($1::uuid[]) AS o, unnest(ARRAY['total', 'country']) AS d,
         generate_series(now() - interval '100 days', now(), '1 hour') AS t, generate_series(30, 35) AS b`,
      [organizations],
    );
    await makeMessages(organizations);
    await fixture.database.query('ANALYZE');
  });
  afterAll(() => fixture.stop());

  /** Messages of ten weeks, with one partition per week. */
  async function makeMessages(organizations: string[]): Promise<void> {
    for (let week = 0; week < 10; week++) {
      const [from, until] = [week, week + 1].map((count) => new Date(Date.UTC(2026, 0, 1) + count * 7 * DAY_MS));
      for (const table of ['sms.messages', 'email.messages', 'email.recipients', 'email.events']) {
        await fixture.database.query(
          `CREATE TABLE ${table}_of_week_${week} PARTITION OF ${table}
           FOR VALUES FROM ('${firstIdOf(from!)}') TO ('${firstIdOf(until!)}')`,
        );
      }
      const ids = `(substr('${firstIdOf(from!)}', 1, 14) || '7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid`;
      await fixture.database.query(
        `INSERT INTO sms.messages (id, organization_id, workspace_id, sender_id, created_at, credits_cost, segments, submits,
           flash, status, encoding, country, header, recipient, body)
         SELECT ${ids}, ($1::uuid[])[1 + n % 3], $2, $2, $3, 1, 1, 1, false, 'sent', 'gsm-7', 'IN', 'X', '+919811111111', 'x'
         FROM generate_series(1, 3000) AS n`,
        [organizations, organizationId, from],
      );
      await fixture.database.query(
        `INSERT INTO email.messages (id, organization_id, workspace_id, created_at, track_opens, track_clicks, status,
           from_address, subject)
         SELECT ${ids}, ($1::uuid[])[1 + n % 3], $2, $3, true, true, 'sent', 'a@b.example', 'x' FROM generate_series(1, 3000) AS n`,
        [organizations, organizationId, from],
      );
      await fixture.database.query(
        `INSERT INTO email.recipients (message_id, position, state, address)
         SELECT ${ids}, 0, 'sent', 'x@y.example' FROM generate_series(1, 3000) AS n`,
      );
      await fixture.database.query(
        `INSERT INTO email.events (message_id, id, position, occurred_at, type)
         SELECT ${ids}, gen_random_uuid(), 0, $1, 'opened' FROM generate_series(1, 3000) AS n`,
        [from],
      );
    }
    await fixture.database.query(
      `INSERT INTO chatapp.messages (id, organization_id, workspace_id, direction, status, type, recipient, sender)
       SELECT gen_random_uuid(), ($1::uuid[])[1 + n % 3], ($1::uuid[])[1 + n % 3], 'outbound', 'sent', 'text', '+1', '+2'
       FROM generate_series(1, 20000) AS n`,
      [organizations],
    );
    await fixture.database.query(
      `INSERT INTO contacts.contacts (id, organization_id, email, source)
       SELECT gen_random_uuid(), ($1::uuid[])[1 + n % 3], n || '@x.example', 'api' FROM generate_series(1, 20000) AS n`,
      [organizations],
    );
  }

  const scansOf = (node: PlanNode): PlanNode[] => [
    ...(node['Relation Name'] === undefined ? [] : [node]),
    ...(node.Plans ?? []).flatMap(scansOf),
  ];
  const planOf = async (text: string, values: unknown[]): Promise<PlanNode[]> => {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${text}`, values);
    return scansOf(rows[0]!['QUERY PLAN'][0].Plan);
  };

  it('read one range of the primary key of the rollups for each query', async () => {
    const plans: PlanNode[][] = [];
    const explaining = {
      query: async (text: string, values?: unknown[]): Promise<Partial<QueryResult>> => {
        if (values) plans.push(await planOf(text, values));
        return { rows: [] };
      },
      release: () => undefined,
    };
    const rollups = new RollupsRepository({ connect: () => Promise.resolve(explaining) } as never);
    const scope = { organizationId, workspaceId: null };
    const start = Date.UTC(2026, 7, 1);
    const days: Range[] = Array.from({ length: 90 }, (_, day) => ({
      since: new Date(start + day * DAY_MS + 1_800_000),
      before: new Date(start + (day + 1) * DAY_MS + 1_800_000),
    }));
    const plan = blockPlanOf(days);
    const whole = { since: days[0]!.since, before: days.at(-1)!.before };
    for (const source of ['sms', 'email', 'chatapp', 'bots', 'credits'] as const)
      await rollups.series(source, scope, plan);
    await rollups.seriesByKey('credits', scope, plan, 'credit_type');
    await rollups.groups('sms', scope, whole, 'country');
    await rollups.groups('email', { ...scope, workspaceId: newId() }, whole, 'domain');
    await rollups.latencySeries(scope, plan);
    await rollups.latencyGroups(scope, whole, 'country', ['IN']);
    expect(plans).toHaveLength(10);
    for (const [scan, ...others] of plans) {
      expect(others).toEqual([]);
      expect(scan!['Node Type']).toMatch(/^(Index Scan|Index Only Scan|Bitmap Heap Scan)$/);
      if (scan!['Node Type'] !== 'Bitmap Heap Scan') {
        for (const column of ['organization_id', 'dimension', 'grain', 'at'])
          expect(scan!['Index Cond']).toContain(column);
      }
    }
  });

  it.each([
    ['sms_messages', SMS_MESSAGES],
    ['email_messages', EMAIL_MESSAGES],
    ['email_events', EMAIL_EVENTS],
    ['chatapp_messages', CHATAPP_MESSAGES],
    ['contacts', CONTACTS],
  ])('read no other partition and no complete table for a batch of %s', async (type, options) => {
    const report = {
      organizationId,
      workspaceId: organizationId,
      filters: {},
      since: new Date('2026-02-06T00:00:00Z'),
      before: new Date('2026-02-12T00:00:00Z'),
    } as Partial<Report> as Report;
    const last = { id: firstIdOf(new Date('2026-02-09T00:00:00Z')), tie: newId() };
    const { text, values } = statementOf(report, options, last);
    const scans = await planOf(text, values);
    expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan' && scan['Total Cost'] > 1)).toEqual([]);
    const weeks = scans.flatMap((scan) => /^messages_of_week_(\d+)$/.exec(scan['Relation Name'] ?? '')?.[1] ?? []);
    // An event can belong to an older email, so older partitions are read, but none that are newer than the range.
    const expected =
      { sms_messages: [5], email_messages: [5], email_events: [0, 1, 2, 3, 4, 5, 6] }[type as string] ?? [];
    expect([...new Set(weeks.map(Number))].sort()).toEqual(expected);
  });
});
