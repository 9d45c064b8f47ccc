import { generateKey } from '@heliograph/auth';
import { newId, testIdOf } from '@heliograph/database';
import { putTestCatalog } from '@heliograph/sms-catalog';
import { TenancyService } from '@heliograph/tenancy';
import { unique, until } from '@heliograph/testing';
import type { SmsFixture } from './sms-fixture';
import { V1Calls, type Fields } from './v1-calls';

/** Outcomes by number, as docs/guides/test-mode.md lists them: the status, and the error. */
const OUTCOMES: readonly (readonly [string, string, RegExp | null])[] = [
  ['+12025550100', 'delivered', null],
  ['+14155552671', 'delivered', null],
  ['+12025550101', 'failed', /invalid destination address/],
  ['+12125550102', 'failed', /invalid source address/],
  ['+12025550103', 'failed', /submit failed/],
  ['+12025550110', 'failed', /undeliverable \(error 001\)/],
  ['+12025550111', 'failed', /expired/],
  ['+12025550112', 'failed', /rejected/],
  ['+12025550113', 'failed', /deleted/],
  ['+12025550114', 'failed', /unknown/],
  ['+12025550120', 'delivered', null],
  ['+12025550122', 'failed', /did not respond/],
  ['+12025550123', 'sent', null],
];
/** The carrier has certainly not accepted these. */
const REFUNDED = ['+12025550101', '+12125550102', '+12025550103'];

describe('SMS of test mode', () => {
  const text = `Test ${unique()}`;
  let v1: V1Calls;
  let sms: SmsFixture;
  let organizationId: string;
  let workspaceId: string;
  let key: string;

  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms } = v1);
    organizationId = testIdOf(v1.tenant.organizationId);
    workspaceId = testIdOf(v1.tenant.workspaceId);
    await sms.tenants.dataSource.transaction(async (transaction) => {
      await new TenancyService().createTestOrganization(transaction, v1.tenant.organizationId, null);
      await putTestCatalog(sms.catalog, transaction, organizationId);
    });
    await sms.tenants.topUp({ id: workspaceId, organizationId }, 'sms', 1_000);
    key = await sms.tenants.key(organizationId, { secret: generateKey('msg', 'test') });
  });

  /** Nothing of a test reaches the carrier. */
  afterAll(() => expect(sms.carrier.messages().filter(({ text: sent }) => sent.includes(text))).toEqual([]));

  const reached = (id: string, status: string) =>
    until(`the message is ${status}`, async () => {
      const { body } = await v1.get(`/delivery/${id}`, key);
      return body['status'] === status && body;
    });

  it('gives each message the outcome of its number, on the balance of the test workspace', async () => {
    const live = await v1.balanceOf(v1.tenant.workspaceId);
    const before = await v1.balanceOf(workspaceId);
    const recipients = OUTCOMES.map(([to]) => ({ to }));
    const { status, body } = await v1.post('/bulk', { message: text, recipients }, key);
    expect({ status, rejected: body['rejected'] }).toEqual({ status: 202, rejected: 0 });
    const messages = body['messages'] as Fields[];
    for (const [index, [to, outcome, error]] of OUTCOMES.entries()) {
      const message = await reached(String(messages[index]!['id']), outcome);
      expect(message).toMatchObject({ to, sender: 'TESTUS' });
      if (error === null) expect(message['error']).toBeNull();
      else expect(JSON.stringify(message['error'])).toMatch(error);
    }
    expect(await v1.balanceOf(workspaceId)).toBe(before - OUTCOMES.length + REFUNDED.length);
    expect(await v1.balanceOf(v1.tenant.workspaceId)).toBe(live);
    expect(await v1.listed('/messages')).toEqual([]);
  });

  it('holds the message to a slow number in the queue', async () => {
    const { body } = await v1.post('/send', { to: '+12025550121', message: text }, key);
    await until('the message was submitted', async () => {
      const [row] = await sms.database.query('SELECT FROM sms.messages WHERE id = $1 AND claimed_at IS NOT NULL', [
        body['id'],
      ]);
      return row;
    });
    expect((await v1.get(`/delivery/${String(body['id'])}`, key)).body).toMatchObject({ status: 'queued' });
  });

  it('refuses the number of a person who opted out', async () => {
    const request = { to: '+12025550130', message: text };
    expect(await v1.post('/send', request, key)).toMatchObject({ status: 409, body: { code: 'RECIPIENT_OPTED_OUT' } });
  });

  it('sends the messages of a campaign to no carrier', async () => {
    const groupId = newId();
    await sms.database.query('INSERT INTO contacts.groups (id, organization_id, name) VALUES ($1, $2, $3)', [
      groupId,
      organizationId,
      'all',
    ]);
    for (const phone of ['+12025550100', '+12025550110', '+12025550130']) {
      const id = newId();
      await sms.database.query(
        `INSERT INTO contacts.contacts (id, organization_id, phone, source) VALUES ($1, $2, $3, 'api')`,
        [id, organizationId, phone],
      );
      await sms.database.query('INSERT INTO contacts.memberships VALUES ($1, $2)', [groupId, id]);
    }
    const campaign = { name: 'Test', message: text, audience: { group_ids: [groupId] } };
    const { body } = await v1.post('/campaigns', campaign, key);
    const done = await until('the campaign is completed', async () => {
      const read = (await v1.get(`/campaigns/${String(body['id'])}`, key)).body;
      return read['status'] === 'completed' && (read['counts'] as Fields)['failed'] === 1 && read;
    });
    expect(done).toMatchObject({
      counts: { audience: 3, sent: 2, delivered: 1, failed: 1, skipped: 1 },
      skipped_reasons: { suppressed: 1 },
    });
  });

  it('sends a scheduled message when the clock of the test organization is advanced', async () => {
    const scheduled_at = new Date(Date.now() + 2 * 86_400_000).toISOString();
    const request = { to: '+12025550100', message: text, scheduled_at };
    const { body } = await v1.post('/send', request, key);
    const liveSend = { to: sms.recipient(), template_id: v1.tenant.template.id, variables: { code: 1 }, scheduled_at };
    const live = await v1.post('/send', liveSend);
    const advance = (by: string) =>
      sms.database.query('SELECT tenancy.advance_clock($1, $2::interval)', [organizationId, by]);
    await advance('1 day');
    expect((await v1.get(`/delivery/${String(body['id'])}`, key)).body).toMatchObject({ status: 'scheduled' });
    await advance('1 day');
    await reached(String(body['id']), 'delivered');
    expect((await v1.get(`/delivery/${String(live.body['id'])}`)).body).toMatchObject({
      status: 'scheduled',
      scheduled_at,
    });
  });

  it('refuses a live key whose call chooses test mode, and a test key whose call chooses live mode', async () => {
    const request = { to: '+12025550100', message: text };
    for (const [used, mode] of [
      [v1.tenant.key, 'test'],
      [key, 'live'],
    ] as const) {
      expect(await v1.post('/send', request, used, { 'heliograph-mode': mode })).toMatchObject({
        status: 403,
        body: { code: 'FORBIDDEN' },
      });
    }
    expect(await v1.post('/send', request, key, { 'heliograph-mode': 'sandbox' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_REQUEST' },
    });
    expect(await v1.post('/send', request, key, { 'heliograph-mode': 'test' })).toMatchObject({ status: 202 });
  });
});
