import request from 'supertest';
import { CarrierSimulator } from './carrier/carrier-simulator';
import type { ControlApi } from './control-api';
import { createControlApi } from './create-control-api';
import { MailboxSimulator } from './mailbox/mailbox-simulator';
import { ProviderSimulator } from './provider/provider-simulator';

const carrier = new CarrierSimulator();
const mailbox = new MailboxSimulator();
const provider = new ProviderSimulator();
let api: ControlApi;
let origin: string;

beforeAll(async () => {
  api = createControlApi({ carrier, mailbox, provider });
  origin = `http://127.0.0.1:${await api.start()}`;
});
afterAll(() => api.stop());

const OK = { ok: true };

describe('the control API', () => {
  it.each([
    ['carrier', carrier, { submit: 'throttle' }, { submit: 'reject' }, { submit: 'silent' }, '+49 1', '491', '492'],
    [
      'mailbox',
      mailbox,
      { delayMs: 5 },
      { delayMs: 6 },
      { at: 'data' },
      'ANN@x.example',
      'ann@X.example',
      'b@x.example',
    ],
    ['platform', provider, { delayMs: 5 }, { delayMs: 6 }, { unreachable: true }, '+49 1', '491', '492'],
  ] as const)(
    'sets, replaces and resets the behaviour of the %s',
    async (name, { behaviours }, general, first, second, to, sameTo, other) => {
      const path = `/${name}/behaviour`;
      const initial = behaviours.of(to);
      await request(origin).put(path).send(general).expect(200, OK);
      await request(origin)
        .put(path)
        .send({ match: { to }, ...first })
        .expect(200, OK);
      expect(behaviours.of(sameTo)).toMatchObject(first);
      await request(origin)
        .put(path)
        .send({ match: { to: sameTo }, ...second })
        .expect(200, OK);
      expect(behaviours.of(to)).toEqual({ ...initial, ...second });
      expect(behaviours.of(other)).toMatchObject(general);
      await request(origin).delete(path).send({ match: { to } }).expect(200, OK);
      expect(behaviours.of(to)).toMatchObject(general);
      await request(origin).delete(path).expect(200, OK);
      expect(behaviours.of(to)).toEqual(initial);
    },
  );

  it.each([
    ['PUT', '/carrier/behaviour', 'submit', { submit: 'maybe' }],
    ['PUT', '/carrier/behaviour', 'match.to', { match: { to: 'nobody' } }],
    ['PUT', '/carrier/behaviour', 'reciept', { reciept: 'none' }],
    ['PUT', '/mailbox/behaviour', 'reply.text', { reply: { code: 550, text: 'x\r\n250 ok' } }],
    ['PUT', '/mailbox/behaviour', 'match.to', { match: { to: '+4915112345' } }],
    ['POST', '/mailbox/notify', 'status', { to: 'ann@x.example', action: 'failed', status: '550' }],
    ['POST', '/platform/inbound', 'message.type', { from: '491', message: {} }],
    ['POST', '/platform/statuses', 'status', { id: 'x' }],
    ['POST', '/platform/webhook', 'updates', { updates: [] }],
    ['PUT', '/platform/templates/a', 'status', {}],
  ] as const)('%s %s names the invalid field %s', async (method, path, field, body) => {
    const { status, body: answer } = await request(origin)[method === 'PUT' ? 'put' : 'post'](path).send(body);
    expect({ status, answer }).toEqual({ status: 400, answer: { error: expect.stringContaining(field) } });
  });

  it('rejects malformed and oversized bodies, unknown paths and methods', async () => {
    const put = () => request(origin).put('/carrier/behaviour').set('content-type', 'application/json');
    await put().send('{').expect(400);
    await put()
      .send(`"${'x'.repeat(1_100_000)}"`)
      .expect(413);
    await request(origin).get('/nowhere').expect(404, { error: 'unknown path /nowhere' });
    await request(origin).post('/carrier/messages').expect(405);
    await request(origin).put('/platform/templates/%zz').expect(400);
  });
});

describe('the control API for web pages', () => {
  const put = (headers: object) =>
    request(origin)
      .put('/mailbox/behaviour')
      .set(headers as Record<string, string>)
      .send({ delayMs: 0 });

  it.each([
    { Host: 'attacker.example' },
    { Host: '127.0.0.1.attacker.example:80' },
    { Origin: 'https://attacker.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
  ])('rejects pages of other sites: %j', async (headers) => {
    const { status, body } = await put(headers);
    expect([status, Object.keys(body as object)]).toEqual([403, ['error']]);
  });

  it('also rejects names that resolve to this machine for reads', () =>
    request(origin).get('/carrier/messages').set('Host', 'attacker.example').expect(403));

  it.each([{}, { Host: 'localhost:1234' }, { Host: '[::1]:1234' }, { Origin: 'http://localhost:8080' }])(
    'accepts calls from this machine: %j',
    (headers) => put(headers).expect(200),
  );
});
