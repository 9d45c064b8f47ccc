import { newId } from '@heliograph/database';
import type { ChatappAllowancePage, OneChatappAllowance } from '../src/channels/chatapp/allowances/allowances.dto';
import type { ChatappPricePage, OneChatappPrice } from '../src/channels/chatapp/prices/prices.dto';
import type { OneChatappSending } from '../src/channels/chatapp/sending/sending.dto';
import { AccountFixture } from './account-fixture';

const CHATAPP = '/api/platform/chatapp';
const FUTURE = '2100-01-01T00:00:00.000Z';
const INDIA = { country: 'IN', category: 'marketing', baseCost: 70, markup: 9, currency: 'INR' };

describe('chat-app pricing by the operator', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });

  const send = <T>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    fixture.call<T>(method, `${CHATAPP}${path}`, { operator: true, headers, ...(body ? { body } : {}) });
  const createPrice = (body: object) => send<OneChatappPrice>('POST', '/prices', { ...INDIA, ...body });
  const notedActions = async (targetId: string) => {
    const rows = await fixture.database.query<{ action: string; organization_id: string | null }>(
      'SELECT action, organization_id FROM audit.entries WHERE target_id = $1 ORDER BY id',
      [targetId],
    );
    expect(rows.every(({ organization_id }) => organization_id === null)).toBe(true);
    return rows.map(({ action }) => action);
  };

  describe('a price', () => {
    it('can be scheduled, updated and deleted, with audit entries', async () => {
      const { status, data } = await createPrice({ validFrom: '2100-01-01T05:30:00+05:30' });
      const { id, createdAt } = data.price;
      expect(status).toBe(201);
      expect(data.price).toEqual({ id, ...INDIA, price: 79, validFrom: FUTURE, createdAt });
      const changed = await send<OneChatappPrice>('PATCH', `/prices/${id}`, { markup: 10, currency: 'USD' });
      expect(changed.data.price).toEqual({ ...data.price, markup: 10, price: 80, currency: 'USD' });
      expect(await send('DELETE', `/prices/${id}`)).toMatchObject({ status: 200, data: changed.data });
      expect((await send('DELETE', `/prices/${id}`)).status).toBe(404);
      expect(await notedActions(id)).toEqual([
        'chatapp.price.created',
        'chatapp.price.changed',
        'chatapp.price.removed',
      ]);
    });

    it('is valid immediately by default and can then no longer be changed', async () => {
      const { data } = await createPrice({ country: 'FR' });
      for (const [method, body] of [
        ['PATCH', { markup: 0 }],
        ['DELETE', undefined],
      ] as const) {
        expect(await send(method, `/prices/${data.price.id}`, body)).toMatchObject({
          status: 409,
          error: { code: 'STATE_CONFLICT' },
        });
      }
      expect(await createPrice({ country: 'FR', validFrom: data.price.validFrom })).toMatchObject({ status: 422 });
    });

    it('is created once for a repeated request', async () => {
      const headers = { 'idempotency-key': 'once' };
      const body = { ...INDIA, country: 'ES' };
      const first = await send('POST', '/prices', body, headers);
      const second = await send('POST', '/prices', body, headers);
      expect(second.data).toEqual(first.data);
      expect((await send<ChatappPricePage>('GET', '/prices?country=ES')).data.prices).toHaveLength(1);
      expect((await createPrice({ country: 'ES', validFrom: FUTURE })).status).toBe(201);
      expect(await createPrice({ country: 'ES', validFrom: FUTURE })).toMatchObject({
        status: 409,
        error: { code: 'NAME_TAKEN' },
      });
    });

    it('is listed by country and category in pages', async () => {
      for (const category of ['marketing', 'utility', 'service']) await createPrice({ country: 'JP', category });
      const list = async (query: string) => (await send<ChatappPricePage>('GET', `/prices?${query}`)).data;
      const first = await list('country=JP&limit=2');
      expect(first.prices.map(({ category }) => category)).toEqual(['marketing', 'utility']);
      const rest = await list(`country=JP&limit=2&cursor=${first.nextCursor}`);
      expect(rest.prices.map(({ category }) => category)).toEqual(['service']);
      expect((await list('country=*&category=service')).prices).toMatchObject([{ country: '*', price: 40 }]);
      for (const query of ['category=x', 'country=', 'limit=0']) {
        expect((await send('GET', `/prices?${query}`)).status).toBe(422);
      }
    });

    it.each([
      ['country', { country: 'in' }],
      ['country', { country: null }],
      ['category', { category: 'promotion' }],
      ['baseCost', { baseCost: -1 }],
      ['baseCost', { baseCost: '1' }],
      ['markup', { markup: 0.5 }],
      ['currency', { currency: 'QQQ' }],
      ['validFrom', { validFrom: '2100-01-01' }],
      ['validFrom', { validFrom: '2020-01-01T00:00:00Z' }],
    ])('is rejected with a message about %s: %j', async (field, body) => {
      const { status, error } = await createPrice(body);
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toMatch(new RegExp(`^${field}: must `));
    });
  });

  describe('an allowance', () => {
    it('can be scheduled, updated and deleted, with audit entries', async () => {
      const request = { category: 'service', isFree: true, monthlyLimit: 500, validFrom: FUTURE };
      const { status, data } = await send<OneChatappAllowance>('POST', '/allowances', request);
      const { id, createdAt } = data.allowance;
      expect(status).toBe(201);
      expect(data.allowance).toEqual({ id, ...request, createdAt });
      const changed = await send<OneChatappAllowance>('PATCH', `/allowances/${id}`, { monthlyLimit: null });
      expect(changed.data.allowance).toEqual({ ...data.allowance, monthlyLimit: null });
      expect((await send('DELETE', `/allowances/${id}`)).status).toBe(200);
      expect((await send('DELETE', `/allowances/${newId()}`)).status).toBe(404);
      expect(await notedActions(id)).toHaveLength(3);
    });

    it('cannot be changed once it is valid', async () => {
      const { data } = await send<ChatappAllowancePage>('GET', '/allowances?category=utility');
      expect(data.allowances).toMatchObject([{ category: 'utility', isFree: true, monthlyLimit: null }]);
      const path = `/allowances/${data.allowances[0]!.id}`;
      expect(await send('PATCH', path, { isFree: false })).toMatchObject({ error: { code: 'STATE_CONFLICT' } });
      expect(await send('DELETE', path)).toMatchObject({ error: { code: 'STATE_CONFLICT' } });
    });

    it.each([{ category: 'x' }, { isFree: 'yes' }, { isFree: undefined }, { monthlyLimit: -1 }, { monthlyLimit: '5' }])(
      'is rejected with %j',
      async (body) => {
        const request = { category: 'service', isFree: true, validFrom: FUTURE, ...body };
        expect((await send('POST', '/allowances', request)).status).toBe(422);
      },
    );
  });

  it('includes a switch that stops and resumes sending, and that can be reset to the configuration', async () => {
    const asSet = async (method: string, body?: object) =>
      (await send<OneChatappSending>(method, '/sending', body)).data.sending;
    const left = { enabled: null, setBy: 'setting', updatedAt: null };
    expect(await asSet('GET')).toEqual(left);
    const off = await asSet('PUT', { enabled: false });
    expect(off).toEqual({ enabled: false, setBy: 'operator', updatedAt: expect.any(String) });
    expect(await asSet('GET')).toEqual(off);
    expect(await asSet('PUT', { enabled: true })).toMatchObject({ enabled: true, setBy: 'operator' });
    expect(await asSet('DELETE')).toEqual(left);
    expect(await asSet('DELETE')).toEqual(left);
    for (const body of [{}, { enabled: null }, { enabled: 'true' }]) {
      expect((await send('PUT', '/sending', body)).status).toBe(422);
    }
    expect(await notedActions('sending')).toEqual(Array<string>(3).fill('chatapp.sending.switched'));
  });
});
