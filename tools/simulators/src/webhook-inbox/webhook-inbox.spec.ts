import request from 'supertest';
import { Webhook } from 'standardwebhooks';
import type { ControlApi } from '../control-api';
import { createControlApi } from '../create-control-api';
import { WebhookInbox } from './webhook-inbox';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

describe('the receiver of webhooks', () => {
  let api: ControlApi;
  let origin: string;
  beforeEach(async () => {
    api = createControlApi({ webhookInbox: new WebhookInbox() });
    origin = `http://127.0.0.1:${await api.start()}`;
  });
  afterEach(() => api.stop());

  const deliver = (name: string, secret = SECRET) => {
    const body = '{"id": "evt_1",  "type": "sms.sent"}';
    const at = new Date();
    return request(origin)
      .post(`/webhook-inbox/${name}`)
      .set({
        'content-type': 'application/json',
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
      })
      .send(body);
  };

  it('stores deliveries, verifies them with its secrets, and deletes them', async () => {
    await request(origin)
      .put('/webhook-inbox/secrets')
      .send({ secrets: [SECRET] })
      .expect(200, { ok: true });
    await deliver('one').expect(200);
    await deliver('two', `whsec_${Buffer.alloc(32, 8).toString('base64')}`).expect(200);
    const { body } = await request(origin).get('/webhook-inbox');
    expect(body).toMatchObject({
      deliveries: [
        { name: 'one', verified: true, headers: { 'webhook-id': 'evt_1' }, body: { id: 'evt_1', type: 'sms.sent' } },
        { name: 'two', verified: false },
      ],
    });
    const two = await request(origin).get('/webhook-inbox?name=two');
    expect((two.body as { deliveries: object[] }).deliveries).toHaveLength(1);
    await request(origin).delete('/webhook-inbox/secrets').expect(200, { ok: true });
    await deliver('three').expect(200);
    const three = await request(origin).get('/webhook-inbox?name=three');
    expect(three.body).toMatchObject({ deliveries: [{ name: 'three', verified: false }] });
    await request(origin).delete('/webhook-inbox').expect(200, { ok: true });
    await request(origin).get('/webhook-inbox').expect({ deliveries: [] });
  });

  it('returns configured errors for one name or for all names', async () => {
    const behave = (behaviour: object) => request(origin).put('/webhook-inbox/behaviour').send(behaviour).expect(200);
    await behave({ name: 'busy', status: 503, retryAfter: 7 });
    await behave({ cut: true, delayMs: 1 });
    const busy = await deliver('busy').expect(503);
    expect(busy.headers['retry-after']).toBe('7');
    await expect(deliver('other')).rejects.toThrow();
    await request(origin).delete('/webhook-inbox/behaviour').expect(200);
    await deliver('busy').expect(200);
    await deliver('other').expect(200);
    await request(origin).put('/webhook-inbox/behaviour').send({ status: 99 }).expect(400);
  });
});
