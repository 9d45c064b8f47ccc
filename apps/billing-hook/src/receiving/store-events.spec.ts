import { billingEventReceived } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { billingHook } from '../billing-hook.service';

describe('billing.store_events', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase(billingHook.migrations);
  });
  afterAll(() => database.drop());

  const rowOf = (id: string, more: { payload?: string; created?: null } = {}) => ({
    id,
    type: 'charge.refunded',
    created: 1_795_000_000,
    customer: 'cus_1',
    correlation_id: 'call-1',
    job_id: newId(),
    payload: `{"id":"${id}"}`,
    ...more,
  });
  const store = async (...rows: ReturnType<typeof rowOf>[]) => {
    // The JSON of the batch contains each body as an object, unchanged, and not as a string.
    const encoded = rows.map(
      ({ payload, ...row }, ord) => `${JSON.stringify({ ord, ...row }).slice(0, -1)},"payload":${payload}}`,
    );
    const results = await database.query<{ ord: number; outcome: string }>(
      'SELECT ord, outcome FROM billing.store_events($1) ORDER BY ord',
      [`[${encoded.join(',')}]`],
    );
    return results.map(({ outcome }) => outcome);
  };

  it('stores the first event of an id in a batch, in the order of the batch, and none of a stored id', async () => {
    const payload = '{"id": "evt_b",  "note":"\\u00e4\\\\ \\ud83c\\udf89"}';
    const first = await store(rowOf('evt_b', { payload }), rowOf('evt_a'), rowOf('evt_b', { payload }));
    expect(first).toEqual(['stored', 'stored', 'repeated']);
    expect(await store(rowOf('evt_a'), rowOf('evt_c', { created: null }))).toEqual(['repeated', 'stored']);
    const events = await database.query<{ id: string; payload: string }>(
      'SELECT id, payload::text FROM billing.events ORDER BY arrival',
    );
    expect(events.map(({ id }) => id)).toEqual(['evt_b', 'evt_a', 'evt_c']);
    expect(events[0]?.payload).toBe(payload);
  });

  it('reports a repetition with another body, also within a batch', async () => {
    const spaced = { payload: '{"id": "evt_d"}' };
    expect(await store(rowOf('evt_d'), rowOf('evt_d', spaced))).toEqual(['stored', 'differs']);
    expect(await store(rowOf('evt_d', spaced), rowOf('evt_d'))).toEqual(['differs', 'repeated']);
  });

  it('adds one job for each stored event to the outbox', async () => {
    const row = rowOf('evt_job');
    await store(row, rowOf('evt_job'));
    await store(rowOf('evt_job'));
    const jobs = await database.query<{ id: string; type: string; payload: Record<string, unknown> }>(
      `SELECT id, type, payload FROM messaging.outbox WHERE payload -> 'data' ->> 'eventId' = 'evt_job'`,
    );
    expect(jobs).toEqual([
      {
        id: row.job_id,
        type: billingEventReceived.type,
        payload: {
          id: row.job_id,
          type: billingEventReceived.type,
          version: billingEventReceived.version,
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
          organizationId: null,
          workspaceId: null,
          correlationId: 'call-1',
          data: { eventId: 'evt_job', eventType: 'charge.refunded' },
        },
      },
    ]);
  });

  it('has an index that contains only settled events', async () => {
    // Not the size of the index, because another test file may have used the database before.
    const [index] = await database.query<{ definition: string }>(
      `SELECT pg_get_indexdef('billing.events_settled'::regclass) AS definition`,
    );
    expect(index?.definition).toMatch(/ WHERE \(settled_at IS NOT NULL\)$/);
  });

  it('compresses large bodies with lz4 if the server supports it', async () => {
    const payload = JSON.stringify({ id: 'evt_large', note: 'text '.repeat(1_000) });
    await store(rowOf('evt_large', { payload }));
    const [stored] = await database.query<{ used: string; best: string }>(
      `SELECT pg_column_compression(payload) AS used, CASE WHEN 'lz4' = ANY (s.enumvals) THEN 'lz4' ELSE 'pglz' END AS best
       FROM billing.events CROSS JOIN pg_settings AS s WHERE id = 'evt_large' AND s.name = 'default_toast_compression'`,
    );
    expect(stored?.used).toBe(stored?.best);
    expect(stored?.used).toBeDefined();
  });
});
