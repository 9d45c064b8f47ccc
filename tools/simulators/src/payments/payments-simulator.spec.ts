import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import request from 'supertest';
import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import { PaymentsSimulator } from './payments-simulator';

const SECRET = 'whsec_simulated';

/** Verifies signatures with the library of the processor. */
let receiver: Server;
let received: Stripe.Event[];
let answer: { status: number; body: string };
let api: ControlApi;
let origin: string;

beforeEach(async () => {
  received = [];
  answer = { status: 200, body: '{"received":true}' };
  const { webhooks } = new Stripe('sk_test_none');
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        received.push(
          webhooks.constructEvent(Buffer.concat(chunks), request.headers['processor-signature'] ?? '', SECRET),
        );
        response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
      } catch (error) {
        response.writeHead(400).end(JSON.stringify({ error: String(error) }));
      }
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  await api.stop();
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

const hookUrl = () => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/api/webhooks/payments`;

async function start(secret = SECRET, url: string | (() => string) = hookUrl): Promise<void> {
  api = createControlApi({ payments: new PaymentsSimulator({ hookUrl: url, secret }) });
  origin = `http://127.0.0.1:${await api.start()}`;
}

async function post(event: object): Promise<{ status: number; body: unknown }> {
  const { status, body } = await request(origin).post('/payments/events').send(event);
  return { status, body: body as unknown };
}

const ACCEPTED = { status: 200, body: { status: 200, body: { received: true } } };

describe('the payments simulator', () => {
  it('posts a signed event and returns the response of the receiver', async () => {
    await start();
    const object = { id: 'in_1', object: 'invoice', customer: 'cus_1', note: 'ünïcode 😀' };
    expect(await post({ type: 'invoice.paid', object })).toEqual(ACCEPTED);
    expect(received).toMatchObject([{ object: 'event', type: 'invoice.paid', data: { object }, livemode: false }]);
    expect(received[0]!.id).toMatch(/^evt_\w{24}$/);
    expect(Math.abs(received[0]!.created - Date.now() / 1000)).toBeLessThan(60);
  });

  it('uses the given id and creation time, and the current time for the signature', async () => {
    await start();
    const event = { type: 'invoice.paid', object: {}, id: 'evt_mine', created: 1 };
    expect(await post(event)).toEqual(ACCEPTED);
    expect(await post(event)).toEqual(ACCEPTED);
    expect(received).toMatchObject([
      { id: 'evt_mine', created: 1 },
      { id: 'evt_mine', created: 1 },
    ]);
  });

  it('returns error responses and responses that are not JSON', async () => {
    await start('whsec_other');
    expect(await post({ type: 'invoice.paid', object: {} })).toMatchObject({
      status: 200,
      body: { status: 400, body: { error: expect.stringContaining('signature') } },
    });
    await api.stop();
    await start();
    answer = { status: 503, body: 'busy' };
    expect(await post({ type: 'invoice.paid', object: {} })).toEqual({
      status: 200,
      body: { status: 503, body: 'busy' },
    });
  });

  it('lists the posted events with their responses', async () => {
    await start();
    await post({ type: 'invoice.paid', object: { id: 'in_1' }, id: 'evt_1' });
    const { body } = await request(origin).get('/payments/events');
    expect(body).toEqual({
      events: [{ event: expect.objectContaining({ id: 'evt_1' }), status: 200, body: { received: true } }],
    });
  });

  it('returns 502 without a response', async () => {
    await start(SECRET, 'http://127.0.0.1:1/');
    expect(await post({ type: 'invoice.paid', object: {} })).toMatchObject({
      status: 502,
      body: { error: expect.stringContaining('did not answer') },
    });
  });

  it.each([
    ['object', { type: 'x', object: [] }],
    ['created', { type: 'x', object: {}, created: 1.5 }],
    ['livemode', { type: 'x', object: {}, livemode: true }],
  ])('names the invalid field %s', async (field, body) => {
    await start();
    const refusal = await post(body);
    expect(refusal.status).toBe(400);
    expect((refusal.body as { error: string }).error).toContain(field);
    expect(received).toEqual([]);
  });
});
