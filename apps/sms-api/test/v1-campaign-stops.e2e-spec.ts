import { setTimeout as delay } from 'node:timers/promises';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import { SmsFixture, type SmsTenant } from './sms-fixture';
import { V1Calls, type Fields } from './v1-calls';
import { V1CampaignCalls, type Campaign } from './v1-campaign-calls';

/** The time after which nothing of a stopped campaign may leave, and a time in which more would leave. */
const EFFECT_MS = 2_000;
const OBSERVED_MS = 2_500;
const CREDITS = 5_000;
/** The rate of the carrier, so that messages wait. */
const PER_SECOND = 20;

describe('an SMS campaign that is stopped while its messages wait', () => {
  let sms: SmsFixture;
  let v1: V1Calls;
  let campaigns: V1CampaignCalls;
  let tenant: SmsTenant;
  let tap: EventTap;
  beforeAll(async () => {
    sms = await SmsFixture.start();
    v1 = await V1Calls.start(sms);
    campaigns = new V1CampaignCalls(v1);
    tap = await tapEvents(sms.service.amqpPrefix);
  });
  beforeEach(async () => {
    tenant = await campaigns.newTenant({ credits: CREDITS });
  });
  afterEach(() => sms.carrier.behaviours.reset());
  afterAll(async () => {
    await tap.close();
    await sms.stop();
  });

  let numbers = 0;
  const contacts = async (count: number): Promise<void> => {
    await sms.database.query(
      `INSERT INTO contacts.contacts (id, organization_id, phone, source)
       SELECT gen_random_uuid(), $1::uuid, concat('+919', 700000000 + $2 + n), 'api' FROM generate_series(1, $3::int) AS n`,
      [tenant.organizationId, numbers, count],
    );
    numbers += count;
  };
  const create = (fields: Fields = {}) => campaigns.create({ audience: { filter: {} }, ...fields });
  /** The number of messages of the tenant that the carrier accepted. */
  const left = (): number =>
    sms.carrier.messages().filter(({ source, accepted }) => accepted && source === tenant.sender.header).length;
  const completions = (id: string): number =>
    tap.events.filter(
      ({ type, data }) => type === 'campaign.completed' && (data as { campaignId: string }).campaignId === id,
    ).length;
  const refunds = async () => {
    const [row] = await sms.database.query<{ entries: number; credits: number }>(
      `SELECT count(*)::int AS entries, coalesce(sum(amount), 0)::int AS credits
       FROM credits.ledger WHERE workspace_id = $1 AND kind = 'refund'`,
      [tenant.workspaceId],
    );
    return row!;
  };
  const stopsLeaving = async (): Promise<number> => {
    await delay(EFFECT_MS);
    const count = left();
    await delay(OBSERVED_MS);
    expect(left()).toBe(count);
    return count;
  };
  const finished = (id: string): Promise<Campaign> =>
    until('nothing waits', async () => {
      const campaign = await campaigns.read(id);
      return campaign['finished_at'] !== null && campaign;
    });
  /** Cancels the campaign and checks that each message has either left or been refunded once. */
  const cancelsTheRest = async (id: string, total: number): Promise<void> => {
    expect(await campaigns.post(`/${id}/cancel`)).toMatchObject({ status: 200, body: { status: 'canceled' } });
    const count = await stopsLeaving();
    expect(await finished(id)).toMatchObject({
      status: 'canceled',
      counts: { queued: total, sent: count, canceled: total - count },
      credits_spent: count,
    });
    expect(await refunds()).toEqual({ entries: total - count, credits: total - count });
    expect(await v1.balanceOf(tenant.workspaceId)).toBe(CREDITS - count);
    const statuses = await sms.database.query<{ status: string }>(
      `SELECT DISTINCT status FROM sms.messages WHERE campaign_id = $1 AND status NOT IN ('sent', 'delivered')`,
      [id],
    );
    expect(statuses).toEqual([{ status: 'canceled' }]);
  };

  it('pauses, and sends each message once after it was resumed', async () => {
    await contacts(300);
    sms.carrier.behave({ maxPerSecond: PER_SECOND });
    const { id } = await create();
    await until('all messages are queued', async () => (await campaigns.read(id)).counts['queued'] === 300);
    expect(await campaigns.post(`/${id}/pause`)).toMatchObject({ status: 200, body: { status: 'paused' } });
    const count = await stopsLeaving();
    expect(count).toBeLessThan(200);
    expect(await campaigns.read(id)).toMatchObject({ status: 'paused', finished_at: null, counts: { sent: count } });
    expect(completions(id)).toBe(0);
    sms.carrier.behaviours.reset();
    expect(await campaigns.post(`/${id}/resume`)).toMatchObject({ status: 200, body: { status: 'running' } });
    await campaigns.reached(id, 'completed');
    expect(await campaigns.read(id)).toMatchObject({ counts: { queued: 300, sent: 300, canceled: 0 } });
    expect(left()).toBe(300);
    await until('the completion is published', () => completions(id) === 1);
  });

  it('is not completed while messages wait, and refunds them when it is canceled', async () => {
    await contacts(600);
    sms.carrier.behave({ maxPerSecond: PER_SECOND });
    const { id } = await create();
    await until('all messages are queued', async () => (await campaigns.read(id)).counts['queued'] === 600);
    await delay(EFFECT_MS);
    expect(await campaigns.read(id)).toMatchObject({ status: 'running', finished_at: null });
    await cancelsTheRest(id, 600);
    expect(completions(id)).toBe(0);
  });

  it('keeps throttled messages during a pause, and refunds them when it is canceled', async () => {
    await contacts(5);
    sms.carrier.behave({ submit: 'throttle' });
    const { id } = await create();
    await until('all messages are queued', async () => (await campaigns.read(id)).counts['queued'] === 5);
    await delay(500);
    await campaigns.post(`/${id}/pause`);
    await delay(EFFECT_MS);
    sms.carrier.behaviours.reset();
    await delay(OBSERVED_MS);
    expect(left()).toBe(0);
    const waiting = await sms.database.query(
      'SELECT DISTINCT status, submits FROM sms.messages WHERE campaign_id = $1',
      [id],
    );
    expect(waiting).toEqual([{ status: 'queued', submits: 0 }]);
    await cancelsTheRest(id, 5);
    expect(left()).toBe(0);
  });

  it('continues the cancellation of a process that crashed', async () => {
    await contacts(5);
    sms.carrier.behave({ submit: 'throttle' });
    const { id } = await create();
    await until('all messages are queued', async () => (await campaigns.read(id)).counts['queued'] === 5);
    await campaigns.post(`/${id}/pause`);
    await delay(EFFECT_MS);
    const [claimed] = await sms.database.query<{ id: string }>(
      'SELECT id FROM sms.messages WHERE campaign_id = $1 ORDER BY id LIMIT 1',
      [id],
    );
    // A worker crashed while it submitted the first message.
    await sms.database.query(
      `UPDATE sms.messages SET submits = 1, claimed_until = now() + interval '3 seconds' WHERE id = $1`,
      [claimed!.id],
    );
    await campaigns.post(`/${id}/cancel`);
    await until('the others are canceled', async () => (await campaigns.read(id)).counts['canceled'] === 4);
    expect((await campaigns.read(id))['finished_at']).toBeNull();
    // The message may have left, so it is not refunded.
    expect(await finished(id)).toMatchObject({
      counts: { queued: 5, sent: 0, failed: 1, canceled: 4 },
      credits_spent: 1,
    });
    expect(await refunds()).toEqual({ entries: 4, credits: 4 });
    await sms.database.query('SELECT sms.cancel_campaign($1, $2, 500)', [id, '00000000-0000-0000-0000-000000000000']);
    expect(await refunds()).toEqual({ entries: 4, credits: 4 });
  });

  it('sends messages that waited during a pause within the send window', async () => {
    await contacts(3);
    sms.carrier.behave({ submit: 'throttle' });
    const hour = new Date().getUTCHours();
    const at = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`;
    const { id } = await create({ send_window: { from: at(hour), until: at(hour + 2), time_zone: 'UTC' } });
    await until('all messages are queued', async () => (await campaigns.read(id)).counts['queued'] === 3);
    await campaigns.post(`/${id}/pause`);
    await delay(EFFECT_MS);
    sms.carrier.behaviours.reset();
    // The window closes during the pause.
    await sms.database.query('UPDATE campaigns.campaigns SET send_window = $2 WHERE id = $1', [
      id,
      { from: at(hour + 3), until: at(hour + 4), time_zone: 'UTC' },
    ]);
    await campaigns.post(`/${id}/resume`);
    const jobs = await until('the messages are queued again', async () => {
      const found = await sms.database.query<{ opens: boolean }>(
        `SELECT extract(hour FROM available_at AT TIME ZONE 'UTC') = $1 AS opens FROM messaging.outbox
         WHERE type = 'sms.queued' AND available_at > now() + interval '1 hour'`,
        [(hour + 3) % 24],
      );
      return found.length === 3 && found;
    });
    expect(jobs).toEqual([{ opens: true }, { opens: true }, { opens: true }]);
    expect(left()).toBe(0);
    await campaigns.post(`/${id}/cancel`);
    await finished(id);
  });

  it('reaches the audience at the start if it is paused immediately', async () => {
    await contacts(4);
    const { id } = await create();
    await campaigns.post(`/${id}/pause`);
    expect(await campaigns.read(id)).toMatchObject({ status: 'paused', counts: { audience: 4 } });
    await contacts(1);
    await campaigns.post(`/${id}/resume`);
    await campaigns.reached(id, 'completed');
    expect(await campaigns.read(id)).toMatchObject({ counts: { audience: 4, queued: 4, sent: 4 } });
    expect(left()).toBe(4);
  });
});
