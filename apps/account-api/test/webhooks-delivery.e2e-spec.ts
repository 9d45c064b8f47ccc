import { emailComplained, emailUnsubscribed } from '@heliograph/contracts';
import { composeEvent } from '@heliograph/messaging';
import { until } from '@heliograph/testing';
import Ajv2020 from 'ajv/dist/2020';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { AccountFixture, LOOPBACK_WEBHOOKS } from './account-fixture';
import { storeEmail } from './stored-messages';
import { WebhooksFixture } from './webhooks-fixture';

const HOUR_MS = 3_600_000;

interface Feed {
  data: { id: string; type: string; data: { id: string } }[];
  next_cursor: string;
  has_more: boolean;
}

/** The service of this test file. The tests advance its clock. */
let advanced: AccountFixture;
beforeAll(async () => {
  advanced = await AccountFixture.start(LOOPBACK_WEBHOOKS);
});
afterAll(() => advanced?.stop());

describe('the delivery of events', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.shared();
  });
  afterAll(() => fixture.receiver.stop());

  const received = (path: string, count = 1) =>
    until(`${count} deliveries at ${path}`, () => Promise.resolve(fixture.receiver.at(path).length >= count));
  const feed = async (query = ''): Promise<Feed> => (await fixture.call('GET', `events?${query}`)) as unknown as Feed;

  it('posts the signed record, which the public package verifies and the schema of the catalog describes', async () => {
    const webhook = await fixture.create('/signed', ['sms.delivered'], { headers: { 'X-Environment': 'test' } });
    const messageId = await fixture.publish();
    await received('/signed');
    const { body, headers: texts } = fixture.receiver.at('/signed')[0]!;
    const headers = texts as Record<string, string>;
    const event = new StandardWebhook(webhook.secret).verify(body, headers) as { type: string };
    expect(headers['x-service-signature']).toBe(headers['webhook-signature']);
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'x-environment': 'test' });
    expect(headers['user-agent']).toMatch(/^Heliograph-Webhooks\/\d/);
    expect(event).toMatchObject({
      ...{ id: headers['webhook-id'], type: 'sms.delivered', organization_id: fixture.tenant.organizationId },
      ...{ workspace_id: fixture.tenant.workspace.id, data: { id: messageId, status: 'delivered' } },
    });
    const catalog = (await fixture.call('GET', 'webhooks/events')).data as never as { type: string; schema: object }[];
    const entry = catalog.find(({ type }) => type === 'sms.delivered')!;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(entry.schema);
    expect([validate(event), validate.errors]).toEqual([true, null]);
    await until('the delivery is logged', async () => (await fixture.logs(webhook.id))[0]?.status === 'delivered');
    expect(await fixture.logs(webhook.id)).toMatchObject([
      { event_id: headers['webhook-id'], event_type: 'sms.delivered', attempts: [{ status_code: 200, error: null }] },
    ]);
  });

  it('row 27: contains the scope of an unsubscribe event, and no scope in other events', async () => {
    const other = await fixture.account.tenant();
    await fixture.create('/unsubscribed', ['email.unsubscribed', 'email.complained'], {}, other);
    const { organizationId, workspace } = other;
    const messageId = await storeEmail(fixture.account, organizationId, workspace.id);
    const about = { organizationId, workspaceId: workspace.id, correlationId: null };
    const data = { messageId, recipient: 'ann@example.com', url: null, reason: null };
    await fixture.emit(composeEvent(emailUnsubscribed, { ...about, data: { ...data, scope: 'news' } }));
    await fixture.emit(composeEvent(emailComplained, { ...about, data }));
    await received('/unsubscribed', 2);
    const events = fixture.receiver
      .at('/unsubscribed')
      .map(({ body }) => (JSON.parse(body) as { data: { event: Record<string, unknown> } }).data.event)
      .map(({ type, scope }) => [type, scope]);
    expect(events.toSorted()).toEqual([
      ['complained', undefined],
      ['unsubscribed', 'news'],
    ]);
  });

  it('stores an event that arrives twice only once, in a feed without gaps', async () => {
    const before = await feed('limit=100');
    const event = await fixture.smsDelivered();
    const first = event.data.messageId;
    await fixture.emit(event);
    await until('the event is stored', async () => (await feed(`after=${before.next_cursor}`)).data.length === 1);
    await fixture.emit({ ...event });
    const messages = [await fixture.publish(), await fixture.publish()];
    await until('all events are stored', async () => (await feed(`after=${before.next_cursor}`)).data.length >= 3);
    const all = await feed(`after=${before.next_cursor}`);
    expect(all.data.map(({ data }) => data.id).sort()).toEqual([first, ...messages].sort());
    const page = await feed(`after=${before.next_cursor}&limit=2`);
    const rest = await feed(`after=${page.next_cursor}&limit=2`);
    expect([...page.data, ...rest.data]).toEqual(all.data);
    expect([page.has_more, rest.has_more]).toEqual([true, false]);
    expect(await feed(`after=${rest.next_cursor}`)).toMatchObject({
      ...{ data: [], next_cursor: rest.next_cursor, has_more: false },
    });
    expect((await feed('types=email.*')).data).toEqual([]);
    const sequences = await fixture.account.database.query<{ sequence: string }>(
      'SELECT sequence FROM webhooks.events WHERE organization_id = $1 ORDER BY sequence',
      [fixture.tenant.organizationId],
    );
    expect(sequences.map(({ sequence }) => Number(sequence))).toEqual(sequences.map((_, index) => index + 1));
  });

  it('is filtered by type, group and workspace, and never reaches other organizations', async () => {
    const other = await fixture.account.tenant();
    await fixture.create('/other', ['*'], {}, other);
    await fixture.create('/group', ['sms.*']);
    await fixture.create('/not', ['email.*', 'sms.failed']);
    const sibling = await fixture.account.factory.workspace(fixture.tenant.organizationId);
    await fixture.create('/sibling', ['*'], { workspace_id: sibling.id });
    await fixture.create('/inactive', ['*'], { active: false });
    await fixture.publish();
    await received('/group');
    await fixture.publish({ ...fixture.tenant, workspace: sibling });
    await received('/sibling');
    expect(fixture.receiver.at('/sibling')).toHaveLength(1);
    for (const path of ['/other', '/not', '/inactive']) expect(fixture.receiver.at(path)).toEqual([]);
  });

  it('signs with both secrets for 24 hours after a rotation', async () => {
    const webhook = await fixture.create('/rotated', ['sms.*']);
    const { secret } = (await fixture.call('POST', `webhooks/${webhook.id}/rotate-secret`)) as unknown as {
      secret: string;
    };
    await fixture.publish();
    await received('/rotated');
    const { headers, body } = fixture.receiver.at('/rotated')[0]!;
    for (const one of [webhook.secret, secret])
      expect(new StandardWebhook(one).verify(body, headers as never)).toBeTruthy();
  });

  it('includes samples, replays of stored events with their ids, and retries of a single delivery', async () => {
    const webhook = await fixture.create('/replayed', ['sms.delivered']);
    const attempt = await fixture.call('POST', `webhooks/${webhook.id}/test`, { event: 'lead.captured' });
    expect(attempt).toMatchObject({ status: 200, status_code: 200, error: null, response_body: 'ok' });
    const [sample] = fixture.receiver.at('/replayed');
    expect(new StandardWebhook(webhook.secret).verify(sample!.body, sample!.headers as never)).toMatchObject({
      type: 'lead.captured',
    });
    const from = new Date().toISOString();
    await fixture.publish();
    await received('/replayed', 2);
    expect(await fixture.call('POST', `webhooks/${webhook.id}/replay`, { from })).toMatchObject({
      ...{ status: 202, deliveries: 1 },
    });
    await received('/replayed', 3);
    const [, first, second] = fixture.receiver.at('/replayed');
    expect(second!.headers['webhook-id']).toBe(first!.headers['webhook-id']);
    expect(second!.body).toBe(first!.body);
    const [log] = await fixture.logs(webhook.id);
    expect(await fixture.call('POST', `webhooks/${webhook.id}/logs/${log!.id}/retry`)).toMatchObject({ id: log!.id });
    await received('/replayed', 4);
    const none = await fixture.call('POST', `webhooks/${webhook.id}/replay`, { from, status: 'failed' });
    expect(none).toMatchObject({ status: 202, deliveries: 0 });
  });

  it('is repeated if a worker stops during the attempt', async () => {
    const webhook = await fixture.create('/left', ['sms.*']);
    fixture.receiver.status('/left', 500);
    await fixture.publish();
    await fixture.attempted(webhook.id, 1);
    // Simulates a crashed worker: the endpoint is leased, and the lease has ended.
    await fixture.account.database.query(
      `WITH due AS (UPDATE webhooks.queue SET due_at = now() - interval '1 second' WHERE subscription_id = $1)
       UPDATE webhooks.subscriptions SET leased_by = gen_random_uuid(), leased_until = now() - interval '1 second'
       WHERE id = $1`,
      [webhook.id],
    );
    fixture.receiver.status('/left', 200);
    fixture.dispatcher.wake();
    await until('the event is delivered', async () => (await fixture.logs(webhook.id))[0]?.status === 'delivered');
  });
});

describe('after 24 hours', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.on(advanced);
  });
  afterAll(() => fixture.receiver.stop());

  it('the previous secret no longer signs', async () => {
    const webhook = await fixture.create('/overlap', ['sms.*']);
    const rotated = (await fixture.call('POST', `webhooks/${webhook.id}/rotate-secret`)) as unknown as {
      secret: string;
    };
    const signatures = () => fixture.receiver.at('/overlap').map(({ headers }) => String(headers['webhook-signature']));
    const sample = () => fixture.call('POST', `webhooks/${webhook.id}/test`);
    fixture.advance(24 * HOUR_MS - 60_000);
    await sample();
    fixture.advance(120_000);
    await sample();
    await fixture.publish();
    await until('all are delivered', () => Promise.resolve(signatures().length === 3));
    expect(signatures().map((one) => one.split(' ').length)).toEqual([2, 1, 1]);
    const { body, headers } = fixture.receiver.at('/overlap')[2]!;
    const at = Number(headers['webhook-timestamp']);
    const signed = new StandardWebhook(rotated.secret).sign(String(headers['webhook-id']), new Date(at * 1_000), body);
    expect(headers['webhook-signature']).toBe(signed);
  });
});

describe('endpoints that fail', () => {
  let fixture: WebhooksFixture;
  beforeEach(async () => {
    fixture = await WebhooksFixture.on(advanced);
  });
  afterEach(() => fixture.receiver.stop());

  it('receive 11 attempts within 24 hours, at the times of the schedule', async () => {
    const webhook = await fixture.create('/failing', ['sms.*']);
    fixture.receiver.status('/failing', 500);
    await fixture.publish();
    const seconds = [5, 30, 120, 600, 1_800, 3_600, 7_200, 14_400, 28_800];
    for (const [index, delay] of seconds.entries()) {
      await fixture.attempted(webhook.id, index + 1);
      const [{ attempts, next_attempt_at: next }] = (await fixture.logs(webhook.id)) as [never];
      const { at } = (attempts as { at: string }[])[index]!;
      const waits = (Date.parse(next) - Date.parse(at)) / 1000;
      expect([index, waits > delay * 0.79 && waits < delay * 1.21 + 3]).toEqual([index, true]);
      fixture.advance(delay * 1_200 + 1_000);
    }
    await fixture.attempted(webhook.id, 10);
    fixture.advance(24 * HOUR_MS);
    await fixture.attempted(webhook.id, 11);
    await until('the delivery has failed', async () => (await fixture.logs(webhook.id))[0]?.status === 'failed');
    expect((await fixture.get(webhook.id)).status).toBe('failing');
  }, 60_000);

  it('are retried after Retry-After, are not followed on redirects, and are disabled with an email after 410', async () => {
    const busy = await fixture.create('/busy', ['sms.*']);
    const moved = await fixture.create('/moved', ['sms.*']);
    const gone = await fixture.create('/gone', ['sms.*']);
    const witness = await fixture.create('/witness', ['webhook.disabled']);
    fixture.receiver.status('/busy', 503, { 'retry-after': '600' });
    fixture.receiver.status('/moved', 302, { location: `${fixture.receiver.url}/target` });
    fixture.receiver.status('/gone', 410);
    await fixture.publish();
    await fixture.attempted(busy.id, 1);
    await fixture.attempted(moved.id, 1);
    const [{ attempts, next_attempt_at: next }] = (await fixture.logs(busy.id)) as [never];
    const waits = Date.parse(next) - Date.parse((attempts as { at: string }[])[0]!.at);
    expect(waits).toBeGreaterThanOrEqual(599_000);
    expect(fixture.receiver.at('/target')).toEqual([]);
    expect((await fixture.logs(moved.id))[0]).toMatchObject({ status: 'pending', attempts: [{ status_code: 302 }] });
    await until('the webhook is disabled', async () => (await fixture.get(gone.id)).status === 'disabled');
    expect((await fixture.get(gone.id)).disabled_reason).toContain('410');
    await until('the other webhook is notified', () => Promise.resolve(fixture.receiver.at('/witness').length === 1));
    expect(JSON.parse(fixture.receiver.at('/witness')[0]!.body)).toMatchObject({
      ...{ type: 'webhook.disabled', data: { id: gone.id, status: 'disabled' } },
    });
    const mails = await fixture.account.database.query(
      'SELECT subject FROM system_mail.contents WHERE strpos(text, $1) > 0',
      [fixture.receiver.url],
    );
    expect(mails).toEqual([{ subject: 'A webhook was disabled' }]);
    expect(await fixture.call('PUT', `webhooks/${gone.id}`, { active: true })).toMatchObject({
      ...{ status: 'healthy', disabled_reason: null },
    });
    expect(witness.id).toBeTruthy();
  });

  it('are disabled after 24 hours and 20 failed deliveries', async () => {
    const webhook = await fixture.create('/dead', ['sms.*']);
    fixture.receiver.status('/dead', 500);
    for (let index = 0; index < 20; index++) await fixture.publish();
    const failures = async () => {
      const [row] = await fixture.account.database.query<{ failures: number }>(
        'SELECT failures FROM webhooks.subscriptions WHERE id = $1',
        [webhook.id],
      );
      return row!.failures;
    };
    // New deliveries are probed before the retries only if they became due earlier.
    await until('all deliveries are due', async () => (await fixture.logs(webhook.id, 'limit=20')).length === 20);
    await until('the circuit is open', async () => (await failures()) >= 10);
    for (let probe = 0; (await failures()) < 20; probe++) {
      const before = await failures();
      fixture.advance(HOUR_MS);
      await until('the endpoint is probed', async () => (await failures()) > before);
    }
    await fixture.dispatcher.disableFailing();
    expect((await fixture.get(webhook.id)).status).toBe('failing');
    fixture.advance(24 * HOUR_MS);
    await fixture.dispatcher.disableFailing();
    expect(await fixture.get(webhook.id)).toMatchObject({ status: 'disabled' });
    expect(await fixture.logs(webhook.id, 'status=pending')).toEqual([]);
  }, 60_000);

  it('without a response get at most 10 concurrent deliveries and do not delay others', async () => {
    const open = new Set<object>();
    let most = 0;
    fixture.receiver.on('/hanging', (response) => {
      open.add(response);
      most = Math.max(most, open.size);
    });
    await fixture.create('/hanging', ['sms.*']);
    await fixture.create('/healthy', ['sms.*']);
    for (let index = 0; index < 25; index++) await fixture.publish();
    await until('the healthy endpoint has received all events', () =>
      Promise.resolve(fixture.receiver.at('/healthy').length === 25),
    );
    await until('the hanging endpoint has received its share', () => Promise.resolve(open.size === 10));
    expect(most).toBe(10);
  });
});
