import { signProcessorPayload } from '@heliograph/secrets';
import { httpCall, until } from '@heliograph/testing';
import Stripe from 'stripe';
import { BillingFixture, newEventId, nowSeconds, PATH, SECRET } from './billing-fixture';

describe('the payment receiver', () => {
  let billing: BillingFixture;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
  });

  const eventOf = (id: string, more: object = {}) =>
    JSON.stringify({ id, object: 'event', type: 'charge.refunded', data: { object: { id: 'ch_1' } }, ...more });
  const stored = async (id: string) =>
    billing.database.query<{ type: string; payload: string; settled_at: Date | null; correlation_id: string }>(
      'SELECT type, payload::text, settled_at, correlation_id FROM billing.events WHERE id = $1',
      [id],
    );
  const codeOf = ({ status, body }: { status: number; body: Record<string, unknown> }) => [status, body['code']];

  describe('accepts a correctly signed event', () => {
    it('with 200 and its id, after it is stored unchanged', async () => {
      const id = newEventId();
      const body = eventOf(id);
      const response = await billing.post(body, { headers: { 'X-Request-Id': 'call-1' } });
      expect([response.status, response.body]).toEqual([200, { received: true, eventId: id }]);
      expect(await stored(id)).toMatchObject([{ type: 'charge.refunded', payload: body, correlation_id: 'call-1' }]);
    });

    it('that is signed by the official library of the processor', async () => {
      const payload = eventOf(newEventId());
      const signature = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret: SECRET });
      expect((await billing.post(payload, { signature })).status).toBe(200);
    });

    it('of an unknown type, without any effect', async () => {
      const id = newEventId();
      expect((await billing.post(eventOf(id, { type: 'no.such.type' }))).status).toBe(200);
      await billing.settled(id);
    });

    it('without object, without created, with unknown fields and with any content type', async () => {
      const body = JSON.stringify({ id: newEventId(), type: 'x', data: { object: {} }, livemode: false });
      expect((await billing.post(body, { headers: { 'Content-Type': 'text/plain' } })).status).toBe(200);
    });

    it('with text in any language, which is stored unchanged', async () => {
      const id = newEventId();
      const body = eventOf(id, { note: '日本語 ✓ 🎉 \u202e __proto__', __proto__: { x: 1 } });
      expect((await billing.post(body)).status).toBe(200);
      expect(await stored(id)).toMatchObject([{ payload: body }]);
    });
  });

  describe('accepts an event id once', () => {
    it('and returns the same response to a repetition', async () => {
      const id = newEventId();
      const first = await billing.post(eventOf(id));
      const again = await billing.post(eventOf(id));
      expect([again.status, again.body]).toEqual([first.status, first.body]);
      expect(await stored(id)).toHaveLength(1);
    });

    it('even if the second body is different', async () => {
      const id = newEventId();
      await billing.post(eventOf(id, { n: 1 }));
      const other = await billing.post(eventOf(id, { n: 2, type: 'customer.subscription.deleted' }));
      expect([other.status, other.body]).toEqual([200, { received: true, eventId: id }]);
      expect(await stored(id)).toMatchObject([{ type: 'charge.refunded', payload: eventOf(id, { n: 1 }) }]);
    });

    it('for concurrent requests to two processes', async () => {
      const other = await billing.beside();
      try {
        const ids = Array.from({ length: 10 }, newEventId);
        const calls = Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? ids : ids.toReversed())).flat();
        const answers = await Promise.all(
          calls.map((id, n) => billing.post(eventOf(id), { url: n % 2 === 0 ? billing.service.url : other.url })),
        );
        expect(answers.map(({ status }) => status)).toEqual(calls.map(() => 200));
        expect(answers.map(({ body }) => body['eventId'])).toEqual(calls);
        await billing.settled(...ids);
        expect(ids.map((id) => billing.jobsOf(id))).toEqual(ids.map(() => 1));
      } finally {
        await other.stop();
      }
    });

    it('and stores events in the order of their arrival', async () => {
      const ids = Array.from({ length: 5 }, newEventId);
      for (const id of ids) await billing.post(eventOf(id));
      const rows = await billing.database.query<{ id: string }>(
        'SELECT id FROM billing.events WHERE id = ANY($1) ORDER BY arrival',
        [ids],
      );
      expect(rows.map(({ id }) => id)).toEqual(ids);
    });
  });

  describe('validates requests and', () => {
    const refused = async (body: string | Buffer, options: Parameters<BillingFixture['post']>[1] = {}) =>
      codeOf(await billing.post(body, options));

    it("accepts the header of the processor's own library if BILLING_SIGNATURE_HEADER names it", async () => {
      const service = await billing.beside({ BILLING_SIGNATURE_HEADER: 'Stripe-Signature' });
      const { url } = service;
      const payload = eventOf(newEventId());
      const signed = new Stripe('sk_test').webhooks.generateTestHeaderString({ payload, secret: SECRET });
      const headers = { 'Stripe-Signature': signed };
      expect((await billing.post(payload, { url, signature: null, headers })).status).toBe(200);
      // The default name is then unknown, and without the setting, the name of the library is.
      const missing = await billing.post(payload, { url });
      expect(missing).toMatchObject({ status: 400, body: { code: 'MISSING_SIGNATURE' } });
      expect((missing.body as { message: string }).message).toContain('Stripe-Signature');
      expect(await refused(payload, { signature: null, headers })).toEqual([400, 'MISSING_SIGNATURE']);
      await service.stop({ keepQueues: true });
    });

    it.each([
      ['a missing signature', null],
      ['an empty signature', ''],
    ])('rejects %s with MISSING_SIGNATURE', async (_what, signature) => {
      expect(await refused(eventOf(newEventId()), { signature })).toEqual([400, 'MISSING_SIGNATURE']);
    });

    it.each([
      ['a malformed header', () => 'nonsense'],
      ['a truncated signature', (body: string) => signProcessorPayload(body, SECRET, nowSeconds()).slice(0, -2)],
      ['the signature of another secret', (body: string) => signProcessorPayload(body, 'whsec_other', nowSeconds())],
      ['a re-serialized body', (body: string) => signProcessorPayload(`${body} `, SECRET, nowSeconds())],
      ['a timestamp that is too old', (body: string) => signProcessorPayload(body, SECRET, nowSeconds() - 310)],
      ['a timestamp too far in the future', (body: string) => signProcessorPayload(body, SECRET, nowSeconds() + 310)],
    ])('rejects %s with INVALID_SIGNATURE, and stores nothing', async (_what, sign) => {
      const id = newEventId();
      const body = eventOf(id);
      const response = await billing.post(body, { signature: sign(body) });
      expect(codeOf(response)).toEqual([400, 'INVALID_SIGNATURE']);
      expect(Object.keys(response.body)).toEqual(['code', 'message']);
      expect(await stored(id)).toEqual([]);
    });

    it('rejects an invalid signature with a message that names the likely cause', async () => {
      const body = eventOf(newEventId());
      const say = async (secret: string, at: number) =>
        String((await billing.post(body, { signature: signProcessorPayload(body, secret, at) })).body['message']);
      expect(await say('whsec_other', nowSeconds())).toMatch(/secret.*proxy/);
      expect(await say(SECRET, nowSeconds() - 400)).toMatch(/clock/);
    });

    it.each([-290, 290])('accepts a signature with a timestamp %i seconds from now', async (offset) => {
      const body = eventOf(newEventId());
      const signature = signProcessorPayload(body, SECRET, nowSeconds() + offset);
      expect((await billing.post(body, { signature })).status).toBe(200);
    });

    const shapes: [string, string | Buffer][] = [
      ['an empty body', ''],
      ['invalid JSON', '{'],
      ['an array', '[]'],
      ['null', 'null'],
      ['a missing id', JSON.stringify({ type: 'x', data: { object: {} } })],
      ['an empty id', eventOf('')],
      ['an id of 256 characters', eventOf('e'.repeat(256))],
      ['an id that is a number', eventOf('x', { id: 7 })],
      ['an object that is not an event', eventOf('x', { object: 'charge' })],
      ['a missing type', eventOf('x', { type: undefined })],
      ['missing data', eventOf('x', { data: undefined })],
      ['data without an object', eventOf('x', { data: {} })],
      ['data whose object is an array', eventOf('x', { data: { object: [] } })],
      ['created as text', eventOf('x', { created: '1790000000' })],
      ['created in milliseconds', eventOf('x', { created: Date.now() })],
      ['created with a fraction', eventOf('x', { created: 1_790_000_000.5 })],
      ['an infinite created', eventOf('x').replace('"type"', '"created":1e999,"type"')],
      ['NUL in a value', eventOf('x', { note: '\0' })],
      ['NUL in a name', eventOf('x', { '\0': 1 })],
      ['an unpaired surrogate', eventOf('x', { note: ['\ud800'] })],
      ['an unpaired surrogate in the id', eventOf('\udfff')],
      ['a body that is not UTF-8', Buffer.from([...Buffer.from('{"id":"'), 0xff, ...Buffer.from('"}')])],
      ['a byte order mark', `\ufeff${eventOf('x')}`],
      ['a body nested 200 levels deep', eventOf('x').replace('"ch_1"', '['.repeat(200) + ']'.repeat(200))],
      ['a body nested 300,000 levels deep', '['.repeat(300_000) + ']'.repeat(300_000)],
    ];
    it.each(shapes)('rejects %s with INVALID_PAYLOAD', async (_what, body) => {
      expect(await refused(body)).toEqual([400, 'INVALID_PAYLOAD']);
    });

    it('rejects a body of more than one megabyte before it verifies the signature', async () => {
      const body = eventOf(newEventId(), { padding: 'x'.repeat(1_000_000) });
      expect(await refused(body, { signature: null })).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    });

    it('accepts a body of almost one megabyte', async () => {
      expect((await billing.post(eventOf(newEventId(), { padding: 'x'.repeat(999_000) }))).status).toBe(200);
    });

    it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('rejects %s with 405 and Allow', async (method) => {
      const response = await httpCall(`${billing.service.url}${PATH}`, { method });
      expect(codeOf(response)).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(response.headers.get('allow')).toBe('POST');
    });

    it('rejects an unknown path with 404', async () => {
      const response = await httpCall(`${billing.service.url}${PATH}/x`, { method: 'POST' });
      expect(codeOf(response)).toEqual([404, 'NOT_FOUND']);
    });
  });

  describe('while secrets are rotated', () => {
    it('accepts both secrets, and afterwards only the new one', async () => {
      const sign = (body: string, secret: string) => ({ signature: signProcessorPayload(body, secret, nowSeconds()) });
      const other = await billing.beside({ BILLING_WEBHOOK_SECRET: `whsec_new, ${SECRET}` });
      try {
        for (const secret of ['whsec_new', SECRET]) {
          const body = eventOf(newEventId());
          expect((await billing.post(body, { url: other.url, ...sign(body, secret) })).status).toBe(200);
        }
      } finally {
        await other.stop();
      }
      const after = await billing.beside({ BILLING_WEBHOOK_SECRET: 'whsec_new' });
      try {
        const body = eventOf(newEventId());
        const response = await billing.post(body, { url: after.url, ...sign(body, SECRET) });
        expect(codeOf(response)).toEqual([400, 'INVALID_SIGNATURE']);
      } finally {
        await after.stop();
      }
    });
  });

  describe('without a valid configuration', () => {
    it.each(['BILLING_SECRET_KEY', 'BILLING_WEBHOOK_SECRET'])(
      'returns 503 BILLING_NOT_CONFIGURED for every request while %s is not set',
      async (name) => {
        const other = await billing.beside({ [name]: '' });
        try {
          const genuine = await billing.post(eventOf(newEventId()), { url: other.url });
          const unsigned = await billing.post('x'.repeat(2_000_000), { url: other.url, signature: null });
          expect([codeOf(genuine), codeOf(unsigned)]).toEqual([
            [503, 'BILLING_NOT_CONFIGURED'],
            [503, 'BILLING_NOT_CONFIGURED'],
          ]);
        } finally {
          await other.stop();
        }
      },
    );

    it('does not start, and lists all invalid variables', async () => {
      const start = billing.beside({
        BILLING_PLANS: '[1]',
        BILLING_WEBHOOK_SECRET: 'a,b,c',
        BILLING_SUPPORT_EMAIL: 'x',
      });
      await expect(start).rejects.toThrow(/BILLING_WEBHOOK_SECRET[^]*BILLING_PLANS[^]*BILLING_SUPPORT_EMAIL/);
    });
  });

  describe('with a role', () => {
    it('stores events as api and applies them as worker', async () => {
      await billing.service.stop({ keepQueues: true });
      const api = await billing.beside({ ROLE: 'api' });
      const id = newEventId();
      expect((await billing.post(eventOf(id), { url: api.url })).status).toBe(200);
      await api.stop({ keepQueues: true });
      expect(await stored(id)).toMatchObject([{ settled_at: null }]);
      await billing.restart({ ROLE: 'worker' });
      await billing.settled(id);
      await billing.restart();
    });
  });

  it('is live and ready, and exports metrics', async () => {
    const { url } = billing.service;
    const get = async (path: string) => (await fetch(`${url}${path}`)).text();
    expect(await get('/health/live')).toContain('ok');
    await until('the bus is connected', async () => (await get('/health/ready')).includes('"bus":"ok"'));
    await billing.post(eventOf(newEventId()));
    const metrics = await get('/metrics');
    for (const name of [
      'billing_events_received_total',
      'billing_events_settled_total',
      'billing_events_unsettled',
      'billing_dunning_steps_total',
      'billing_group_commit_size',
      'outbox_backlog',
      'relay_published_total',
    ]) {
      expect(metrics).toMatch(new RegExp(`^# TYPE ${name} (counter|gauge|histogram)$`, 'm'));
    }
    expect(metrics).toMatch(/billing_events_received_total\{outcome="stored".*\} [1-9]/);
  });
});
