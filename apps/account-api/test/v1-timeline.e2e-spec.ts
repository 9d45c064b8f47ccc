import { newId } from '@heliograph/database';
import { AccountFixture, type Tenant } from './account-fixture';
import { storeChatapp, storeEmail, storeSms } from './stored-messages';

interface Timeline {
  status: number | string;
  id: string;
  channel: string;
  events: { at: string; type: string; summary: string; details: Record<string, unknown> }[];
}

describe('GET /api/v1/messages/:id/timeline', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });

  const read = (id: string, key = tenant.key): Promise<Timeline & { headers: Headers }> =>
    fixture.v1('GET', `/api/v1/messages/${id}/timeline`, { key });
  const typesOf = ({ events }: Timeline) => events.map(({ type }) => type);

  it('lists the events of an SMS in order', async () => {
    const id = await storeSms(fixture, tenant.organizationId, tenant.workspace.id);
    const timeline = await read(id);
    expect(timeline).toMatchObject({ id, channel: 'sms', status: 'delivered' });
    expect(typesOf(timeline)).toEqual([
      'accepted',
      'checked',
      'charged',
      'queued',
      'claimed',
      'attempted',
      'sent',
      'delivered',
    ]);
    expect(timeline.events[0]).toMatchObject({
      summary: 'The message from DEMOIN to +919811111111 was accepted.',
      details: {
        request_id: 'request-1',
        segments: 1,
        encoding: 'gsm-7',
        client_address: '203.0.113.7',
        key_id: expect.any(String) as string,
        key_name: expect.any(String) as string,
      },
    });
    expect(timeline.events[1]?.details['checks']).toContain('credits');
    expect(timeline.events[2]).toMatchObject({
      summary: 'The charge was 1 credit.',
      details: { amount: -1, reference: `sms:${id}` },
    });
    expect(timeline.events[5]).toMatchObject({
      summary: 'The carrier did not respond to the submit, so the message is submitted again.',
      details: { carrier: 'carrier-a', error: 'no response' },
    });
    expect(timeline.events[6]?.details).toEqual({
      carrier: 'carrier-a',
      submits: 2,
      parts: [{ upstream_id: '1a2b', state: 'delivered' }],
    });
    const times = timeline.events.map(({ at }) => at);
    expect(times).toEqual([...times].sort());
  });

  it('lists each submit of an SMS of several parts with its answer and the ids of the carrier', async () => {
    const id = await storeSms(fixture, tenant.organizationId, tenant.workspace.id);
    const at = new Date().toISOString();
    const attempt = { at, upstream: 'carrier-a' };
    const attempts = [
      { ...attempt, outcome: 'throttled', error: 'throttled: 0x58', part: 2 },
      { ...attempt, outcome: 'unresolved', error: 'no response for part 3 of 3', upstream_ids: ['1a', '1b'] },
    ];
    await fixture.database.query(
      `UPDATE sms.messages SET segments = 3, upstream_ids = '{2a,2b,2c}', status = 'sent', attempts = $2 WHERE id = $1`,
      [id, JSON.stringify(attempts)],
    );
    await fixture.database.query(
      `INSERT INTO sms.parts (carrier, upstream_id, message_id, parts, state)
       VALUES ('carrier-a', '2a', $1, 3, NULL), ('carrier-a', '2b', $1, 3, 'delivered'), ('carrier-a', '2c', $1, 3, NULL)`,
      [id],
    );
    const { events } = await read(id);
    expect(events.filter(({ type }) => type === 'attempted')).toMatchObject([
      {
        summary: 'The carrier throttled the submit, so it was repeated.',
        details: { carrier: 'carrier-a', error: 'throttled: 0x58', part: 2 },
      },
      { details: { error: 'no response for part 3 of 3', upstream_ids: ['1a', '1b'] } },
    ]);
    expect(events.find(({ type }) => type === 'sent')?.details['parts']).toEqual([
      { upstream_id: '2a', state: null },
      { upstream_id: '2b', state: 'delivered' },
      { upstream_id: '2c', state: null },
    ]);
  });

  it('lists the events of each recipient of an email', async () => {
    const timeline = await read(await storeEmail(fixture, tenant.organizationId, tenant.workspace.id));
    expect(timeline).toMatchObject({ channel: 'email', status: 'delivered' });
    expect(typesOf(timeline).toSorted()).toEqual(
      [
        'accepted',
        'attempted',
        'charged',
        'checked',
        'delivered',
        'failed',
        'opened',
        'queued',
        'refunded',
        'sent',
      ].toSorted(),
    );
    expect(typesOf(timeline)[0]).toBe('accepted');
    const failed = timeline.events.find(({ type }) => type === 'failed');
    expect(failed).toMatchObject({ summary: 'The mail server refused the email to bob@example.com.' });
  });

  it('dates the cancellation of an email by its refund', async () => {
    const id = await storeEmail(fixture, tenant.organizationId, tenant.workspace.id);
    await fixture.database.query(`UPDATE email.messages SET status = 'canceled', scheduled_at = now() WHERE id = $1`, [
      id,
    ]);
    await fixture.database.query(`UPDATE email.recipients SET state = 'canceled' WHERE message_id = $1`, [id]);
    const { status, events } = await read(id);
    const at = (type: string) => events.find((event) => event.type === type)?.at;
    expect([status, at('canceled')]).toEqual(['canceled', at('refunded')]);
  });

  it('row 27: shows the unsubscribe scope of an email and the scope of an unsubscribe event', async () => {
    const id = await storeEmail(fixture, tenant.organizationId, tenant.workspace.id);
    await fixture.database.query(`UPDATE email.messages SET unsubscribe_scope = 'news' WHERE id = $1`, [id]);
    await fixture.database.query(
      `INSERT INTO email.events (message_id, id, position, occurred_at, type, scope)
       VALUES ($1, gen_random_uuid(), 0, now() + interval '4 seconds', 'unsubscribed', 'news')`,
      [id],
    );
    const { events } = await read(id);
    expect(events.find(({ type }) => type === 'accepted')?.details).toMatchObject({ unsubscribe_scope: 'news' });
    expect(events.filter(({ details }) => 'scope' in details)).toMatchObject([
      { type: 'unsubscribed', details: { to: 'ann@example.com', scope: 'news' } },
    ]);
  });

  it('lists the events that the provider reported about a chat message', async () => {
    const id = await storeChatapp(fixture, tenant.organizationId, tenant.workspace.id);
    const timeline = await read(id);
    expect(timeline).toMatchObject({ id, channel: 'chatapp', status: 'read' });
    expect(typesOf(timeline)).toEqual(['accepted', 'checked', 'charged', 'sent', 'delivered', 'read']);
    expect(timeline.events[2]?.details).toMatchObject({ amount: -40, reference: `chatapp:${id}` });
    expect(timeline.events[3]?.details).toEqual({ upstream_id: `camid.${id}` });
  });

  it('returns NOT_FOUND to keys of other workspaces', async () => {
    const id = await storeSms(fixture, tenant.organizationId, tenant.workspace.id);
    const other = await fixture.factory.workspace(tenant.organizationId);
    const own = await fixture.factory.key(tenant.organizationId, { workspaceId: tenant.workspace.id });
    const foreign = await fixture.factory.key(tenant.organizationId, { workspaceId: other.id });
    expect((await read(id, own)).channel).toBe('sms');
    for (const [key, message] of [
      [foreign, id],
      [tenant.key, newId()],
      [tenant.key, 'x'],
      [(await fixture.tenant()).key, id],
    ] as const) {
      expect(await read(message, key)).toMatchObject({ status: 404, code: 'NOT_FOUND' });
    }
  });
});
