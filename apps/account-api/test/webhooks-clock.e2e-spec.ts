import { until } from '@heliograph/testing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { AccountFixture, LOOPBACK_WEBHOOKS } from './account-fixture';
import { WebhooksFixture } from './webhooks-fixture';

const HOUR_MS = 3_600_000;

/** The service of this test file. The tests advance its clock. */
let advanced: AccountFixture;
beforeAll(async () => {
  advanced = await AccountFixture.start(LOOPBACK_WEBHOOKS);
});
afterAll(() => advanced?.stop());

describe('after 24 hours', () => {
  let fixture: WebhooksFixture;
  beforeAll(async () => {
    fixture = await WebhooksFixture.on(advanced);
  });
  afterAll(() => fixture.receiver.stop());

  it('the previous secret no longer signs', async () => {
    const webhook = await fixture.create('/overlap', ['sms.*']);
    const rotated = await fixture.call<{
      secret: string;
    }>('POST', `webhooks/${webhook.id}/rotate-secret`);
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
      type: 'webhook.disabled',
      data: { id: gone.id, status: 'disabled' },
    });
    const mails = await fixture.account.database.query(
      'SELECT subject FROM system_mail.contents WHERE strpos(text, $1) > 0',
      [fixture.receiver.url],
    );
    expect(mails).toEqual([{ subject: 'A webhook was disabled' }]);
    expect(await fixture.call('PUT', `webhooks/${gone.id}`, { active: true })).toMatchObject({
      status: 'healthy',
      disabled_reason: null,
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
