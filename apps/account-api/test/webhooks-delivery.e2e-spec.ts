import { emailComplained, emailUnsubscribed } from '@heliograph/contracts';
import { composeEvent } from '@heliograph/messaging';
import { until } from '@heliograph/testing';
import Ajv2020 from 'ajv/dist/2020';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { storeEmail } from './stored-messages';
import { WebhooksFixture } from './webhooks-fixture';

interface Feed {
  data: { id: string; type: string; data: { id: string } }[];
  next_cursor: string;
  has_more: boolean;
}
describe('the delivery of events', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.shared();
  });
  afterAll(() => fixture.receiver.stop());

  const received = (path: string, count = 1) =>
    until(`${count} deliveries at ${path}`, () => Promise.resolve(fixture.receiver.at(path).length >= count));
  const feed = (query = ''): Promise<Feed> => fixture.call<Feed>('GET', `events?${query}`);

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
      id: headers['webhook-id'],
      type: 'sms.delivered',
      organization_id: fixture.tenant.organizationId,
      workspace_id: fixture.tenant.workspace.id,
      data: { id: messageId, status: 'delivered' },
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
      data: [],
      next_cursor: rest.next_cursor,
      has_more: false,
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
    const { secret } = await fixture.call<{
      secret: string;
    }>('POST', `webhooks/${webhook.id}/rotate-secret`);
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
      status: 202,
      deliveries: 1,
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
