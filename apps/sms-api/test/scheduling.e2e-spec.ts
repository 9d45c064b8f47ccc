import { until } from '@heliograph/testing';
import { call, codeOf, postJson, STYLES, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('scheduling', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant({ credits: 10_000 });
  });

  const send = (fields: Record<string, unknown>, from = tenant) =>
    postJson(sms, from.key, { from: from.sender.header, to: sms.recipient(), message: 'x', ...fields });
  const status = async (id: unknown, from = tenant) =>
    (await call(sms, `/sms/status?id=${String(id)}`, { key: from.key })).body;
  const cancel = (id: unknown, key = tenant.key, prefix = '') =>
    call(sms, `${prefix}/sms/cancel?id=${String(id)}`, { method: 'POST', key });
  const balance = async (from: SmsTenant) => (await call(sms, '/sms/balance', { key: from.key })).body['balance'];
  const expectRefusal = (answer: Answer, statusCode: number, code: string) =>
    expect([answer.status, codeOf(answer)]).toEqual([statusCode, code]);

  it.each([
    '2099-01-01T00:00:00Z',
    '2099-01-01t00:00:00z',
    '2099-01-01T00:00:00.1Z',
    '2099-01-01T00:00:00.123456789Z',
    '2099-01-01T00:00:00+05:30',
    '2099-01-01T00:00:00-23:59',
  ])('accepts %s', async (scheduledAt) => {
    expect((await send({ scheduledAt })).body).toMatchObject({ ok: true, status: 'scheduled' });
  });

  it.each([
    '',
    ' ',
    'tomorrow',
    '2099-01-01',
    '2099-01-01T00:00:00',
    '2099-01-01 00:00:00Z',
    '2099-13-01T00:00:00Z',
    '2099-02-30T00:00:00Z',
    '2099-01-01T24:00:00Z',
    '2099-01-01T00:00Z',
    '20990101T000000Z',
    '2099-01-01T00:00:00+0530',
    '2099-01-01T00:00:00 05:30',
    '4070908800',
    'Thu, 01 Jan 2099 00:00:00 GMT',
  ])('rejects %j with INVALID_SCHEDULED_AT', async (scheduledAt) => {
    expectRefusal(await send({ scheduledAt }), 400, 'INVALID_SCHEDULED_AT');
  });

  it.each([4070908800, true, {}, ['2099-01-01T00:00:00Z']])(
    'rejects %j, which is not text, with INVALID_SCHEDULED_AT',
    async (scheduledAt) => {
      expectRefusal(await send({ scheduledAt }), 400, 'INVALID_SCHEDULED_AT');
    },
  );

  it.each(STYLES)('rejects an empty, an invalid and a past schedule with $name', async (style) => {
    const fields = { from: tenant.sender.header, to: sms.recipient(), message: 'x' };
    const status = style.errorStatus(400);
    expectRefusal(await style.send(sms, tenant.key, { ...fields, scheduledAt: '' }), status, 'INVALID_SCHEDULED_AT');
    expectRefusal(
      await style.send(sms, tenant.key, { ...fields, scheduledAt: 'soon' }),
      status,
      'INVALID_SCHEDULED_AT',
    );
    const past = new Date(Date.now() - 1_000).toISOString();
    expectRefusal(await style.send(sms, tenant.key, { ...fields, scheduledAt: past }), status, 'SCHEDULED_AT_IN_PAST');
  });

  it('treats null as no schedule', async () => {
    expect((await send({ scheduledAt: null })).body).toMatchObject({ status: 'queued', scheduledAt: null });
  });

  it('charges immediately and sends the message within two seconds of its scheduled time', async () => {
    const own = await sms.tenant({ credits: 5 });
    const to = sms.recipient();
    const at = new Date(Date.now() + 3_000);
    const answer = await send({ to, scheduledAt: at.toISOString() }, own);
    expect(answer.body).toMatchObject({ status: 'scheduled', creditsCost: 1, creditsRemaining: 4 });
    expect(await balance(own)).toBe(4);
    expect(await status(answer.body['messageId'], own)).toMatchObject({ status: 'scheduled', sentAt: null });
    const record = await until('the message is delivered', async () => {
      const now = await status(answer.body['messageId'], own);
      return now['status'] === 'delivered' && now;
    });
    const [arrived] = sms.carrier.messages(to);
    expect(Date.parse(arrived!.at)).toBeGreaterThanOrEqual(at.getTime());
    expect(Date.parse(arrived!.at)).toBeLessThan(at.getTime() + 2_000);
    expect(sms.carrier.messages(to)).toHaveLength(1);
    expect(record['scheduledAt']).toBe(`${at.toISOString().slice(0, 23)}000`);
    expect(await balance(own)).toBe(4);
  });

  it('sends messages that became due while the service was stopped', async () => {
    const to = sms.recipient();
    const { body } = await send({ to, scheduledAt: new Date(Date.now() + 2_000).toISOString() });
    await sms.restart();
    await until('the message is delivered', async () => (await status(body['messageId']))['status'] === 'delivered');
    expect(sms.carrier.messages(to)).toHaveLength(1);
  });

  describe('cancel', () => {
    const planned = (id: unknown) => sms.database.query('SELECT FROM messaging.outbox WHERE id = $1', [id]);

    it.each(['', '/api'])('refunds and returns the status record under "%s"', async (prefix) => {
      const own = await sms.tenant({ credits: 5 });
      const { body } = await send({ scheduledAt: '2099-01-01T00:00:00Z' }, own);
      expect(await planned(body['messageId'])).toHaveLength(1);
      const answer = await cancel(body['messageId'], own.key, prefix);
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({
        messageId: body['messageId'],
        status: 'canceled',
        to: body['to'],
        renderedBody: 'Your code is x',
        encoding: 'gsm-7',
        creditsCost: 1,
        lastError: null,
        scheduledAt: '2099-01-01T00:00:00.000000',
        sentAt: null,
        createdAt: body['createdAt'],
      });
      expect(await balance(own)).toBe(5);
      expect(await status(body['messageId'], own)).toEqual(answer.body);
      expect(await planned(body['messageId'])).toHaveLength(0);
    });

    it('returns 409 NOT_CANCELABLE for the second cancellation and refunds once', async () => {
      const own = await sms.tenant({ credits: 5 });
      const { body } = await send({ scheduledAt: '2099-01-01T00:00:00Z' }, own);
      await cancel(body['messageId'], own.key);
      expectRefusal(await cancel(body['messageId'], own.key), 409, 'NOT_CANCELABLE');
      expect(await balance(own)).toBe(5);
    });

    it('succeeds once and refunds once for concurrent requests', async () => {
      const own = await sms.tenant({ credits: 5 });
      const { body } = await send({ scheduledAt: '2099-01-01T00:00:00Z' }, own);
      const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(body['messageId'], own.key)));
      expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array<number>(9).fill(409)]);
      expect(await balance(own)).toBe(5);
    });

    it('returns 409 NOT_CANCELABLE after the message was sent', async () => {
      const { body } = await send({ scheduledAt: new Date(Date.now() + 2_000).toISOString() });
      await until('the message is delivered', async () => (await status(body['messageId']))['status'] === 'delivered');
      expectRefusal(await cancel(body['messageId']), 409, 'NOT_CANCELABLE');
    });

    it('returns 409 NOT_CANCELABLE while a worker submits the message, and refunds nothing', async () => {
      const own = await sms.tenant({ credits: 5 });
      const { body } = await send({ scheduledAt: '2099-01-01T00:00:00Z' }, own);
      await sms.database.query(`UPDATE sms.messages SET claimed_until = now() + interval '1 hour' WHERE id = $1`, [
        body['messageId'],
      ]);
      expectRefusal(await cancel(body['messageId'], own.key), 409, 'NOT_CANCELABLE');
      expect(await balance(own)).toBe(4);
    });

    it('returns 409 NOT_CANCELABLE for a message that was not scheduled', async () => {
      const { body } = await send({});
      expectRefusal(await cancel(body['messageId']), 409, 'NOT_CANCELABLE');
    });

    it('prevents the message from being sent', async () => {
      const to = sms.recipient();
      const at = Date.now() + 3_000;
      const { body } = await send({ to, scheduledAt: new Date(at).toISOString() });
      expect((await cancel(body['messageId'])).status).toBe(200);
      const later = sms.recipient();
      await send({ to: later, scheduledAt: new Date(at + 300).toISOString() });
      await until('a later message is sent', () => sms.carrier.messages(later).length === 1);
      expect(sms.carrier.messages(to)).toEqual([]);
      expect(await status(body['messageId'])).toMatchObject({ status: 'canceled' });
    });

    it('deletes the job of the message', async () => {
      const { body } = await send({ scheduledAt: '2099-01-01T00:00:00Z' });
      const jobs = () => sms.database.query('SELECT FROM messaging.outbox WHERE id = $1', [body['messageId']]);
      expect(await jobs()).toHaveLength(1);
      await cancel(body['messageId']);
      expect(await jobs()).toHaveLength(0);
    });

    it.each([
      ['an unknown id', '01890000-0000-7000-8000-000000000000', 404, 'NOT_FOUND'],
      ['a malformed id', 'abc', 404, 'NOT_FOUND'],
      ['a missing id', '', 400, 'INVALID_REQUEST'],
    ])('returns an error for %s', async (_what, id, statusCode, code) =>
      expectRefusal(await cancel(id), statusCode, code),
    );

    it("returns 404 NOT_FOUND for another organization's message and does not change it", async () => {
      const own = await sms.tenant({ credits: 5 });
      const { body } = await send({ scheduledAt: '2099-01-01T00:00:00Z' }, own);
      expectRefusal(await cancel(body['messageId']), 404, 'NOT_FOUND');
      expect(await status(body['messageId'], own)).toMatchObject({ status: 'scheduled' });
      expect(await balance(own)).toBe(4);
    });
  });
});
