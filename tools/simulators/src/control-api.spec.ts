import { CarrierSimulator } from './carrier/carrier-simulator';
import { ControlPage, type ControlApi } from './control-api';
import { createControlApi } from './create-control-api';

let carrier: CarrierSimulator;
let api: ControlApi;
let origin: string;

beforeEach(async () => {
  carrier = new CarrierSimulator();
  api = createControlApi({ carrier });
  origin = `http://127.0.0.1:${await api.start()}`;
});

afterEach(async () => {
  await api.stop();
  await carrier.stop();
});

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${origin}${path}`, { method, body: text });
  return { status: response.status, body: await response.json() };
}

const OK = { status: 200, body: { ok: true } };

describe('the control API', () => {
  it('sets, replaces and removes the behaviour for one recipient', async () => {
    expect(await call('PUT', '/carrier/behaviour', { submit: 'throttle' })).toEqual(OK);
    expect(await call('PUT', '/carrier/behaviour', { match: { to: '+49 1' }, submit: 'reject' })).toEqual(OK);
    expect(await call('PUT', '/carrier/behaviour', { match: { to: '491' }, submit: 'silent' })).toEqual(OK);
    expect(carrier.behaviours.of('491').submit).toBe('silent');
    expect(carrier.behaviours.of('492').submit).toBe('throttle');
    expect(await call('DELETE', '/carrier/behaviour', { match: { to: '+491' } })).toEqual(OK);
    expect(carrier.behaviours.of('491').submit).toBe('throttle');
    expect(await call('DELETE', '/carrier/behaviour')).toEqual(OK);
    expect(carrier.behaviours.of('491')).toMatchObject({ submit: 'accept', receipt: 'delivered', receiptDelayMs: 50 });
  });

  it.each([
    ['submit', { submit: 'maybe' }],
    ['commandStatus', { commandStatus: 'x' }],
    ['receiptDelayMs', { receiptDelayMs: -1 }],
    ['match.to', { match: { to: 'nobody' } }],
    ['match', { match: {} }],
    ['reciept', { reciept: 'none' }],
    ['body', [1]],
  ])('names %s when it is wrong', async (field, body) => {
    const answer = await call('PUT', '/carrier/behaviour', body);
    expect(answer.status).toBe(400);
    expect((answer.body as { error: string }).error).toContain(field);
  });

  it('refuses what is not JSON, too long, or nowhere', async () => {
    expect(await call('PUT', '/carrier/behaviour', '{')).toMatchObject({ status: 400 });
    expect(await call('PUT', '/carrier/behaviour', ' '.repeat(1_100_000))).toMatchObject({ status: 413 });
    expect(await call('GET', '/nowhere')).toEqual({ status: 404, body: { error: 'nothing at /nowhere' } });
    expect(await call('POST', '/carrier/messages')).toMatchObject({ status: 405 });
  });

  it('lists messages and cuts binds', async () => {
    expect(await call('GET', '/carrier/messages?to=%2B49')).toEqual({ status: 200, body: { messages: [] } });
    expect(await call('POST', '/carrier/disconnect')).toEqual(OK);
  });

  it('takes further routes, with parameters and pages', async () => {
    api.route('PUT', '/things/{name}', ({ params }) => ({ name: params['name'] }));
    api.route('GET', '/page', () => new ControlPage('<p>hello</p>'));
    expect(await call('PUT', '/things/a%20b')).toEqual({ status: 200, body: { name: 'a b' } });
    expect(await call('PUT', '/things/%zz')).toMatchObject({ status: 400 });
    expect(await (await fetch(`${origin}/page`)).text()).toBe('<p>hello</p>');
  });
});
