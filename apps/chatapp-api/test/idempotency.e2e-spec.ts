import { until } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

describe('an Idempotency-Key', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let name: string;
  let number = 0;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant();
    name = await chatapp.template(null);
  });
  afterEach(() => chatapp.provider.behaviours.reset());

  const newKey = (): string => `key ${++number}`;
  const template = (to = newNumber()) => ({ to, type: 'template', template: { name } });
  const keyed = (key: string, body: object | string, on = chatapp) => on.send(tenant, body, { 'Idempotency-Key': key });

  it('sends and charges once, and returns the first response again, in every style', async () => {
    const before = await chatapp.balance(tenant.workspaceId);
    const to = newNumber();
    const key = newKey();
    const headers = { 'Idempotency-Key': key };
    const query = `to=${to.slice(1)}&template=${name}`;
    const first = await chatapp.call(`/chatapp/send?${query}`, { key: tenant.key, headers });
    const second = await chatapp.call(`/api/chatapp/send?${query}`, { key: tenant.key, headers });
    const third = await chatapp.post(tenant.key, '/chatapp/send', query, {
      ...headers,
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect([first, second, third].map(({ status, text }) => [status, text])).toEqual(Array(3).fill([200, first.text]));
    expect([first, second, third].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([
      null,
      'true',
      'true',
    ]);
    expect(chatapp.provider.messages(to)).toHaveLength(1);
    expect(await chatapp.balance(tenant.workspaceId)).toBe(before - 100);
  });

  it('returns 409 IDEMPOTENCY_KEY_REUSED for a different request', async () => {
    const key = newKey();
    await keyed(key, template());
    const answer = await keyed(key, template());
    expect([answer.status, answer.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('returns 409 IDEMPOTENCY_IN_PROGRESS while the first call runs, also in another process', async () => {
    const key = newKey();
    const body = template();
    const beside = await chatapp.beside();
    chatapp.provider.behave({ delayMs: 2_500 }, body.to);
    const first = keyed(key, body, beside);
    await until('the first call is in progress', async () => {
      const rows = await chatapp.rows('SELECT FROM chatapp.messages WHERE recipient = $1', [body.to]);
      return rows.length === 1;
    });
    const answers = [await keyed(key, body), await keyed(key, body, beside)];
    expect(answers.map((answer) => answer.body['code'])).toEqual(Array(2).fill('IDEMPOTENCY_IN_PROGRESS'));
    expect((await first).status).toBe(200);
    expect((await keyed(key, body)).headers.get('idempotent-replayed')).toBe('true');
    expect(chatapp.provider.messages(body.to)).toHaveLength(1);
    await beside.service.stop();
  });

  it('stores a rejection of the request by the service and by the provider', async () => {
    for (const body of [{ to: 'x' }, { to: newNumber(), type: 'template', template: { name: 'unknown_one' } }]) {
      const key = newKey();
      const first = await keyed(key, body);
      const second = await keyed(key, body);
      expect([second.status, second.text]).toEqual([400, first.text]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    }
  });

  it('can be used again after a transient error: rate limit, provider failure, opt-out, credits', async () => {
    const body = template();
    const key = newKey();
    chatapp.provider.behave({ error: { status: 429, code: 130429, message: 'slow down' } }, body.to);
    expect((await keyed(key, body)).status).toBe(429);
    chatapp.provider.behave({ error: { status: 500, code: 1, message: 'sorry' } }, body.to);
    expect((await keyed(key, body)).status).toBe(502);
    chatapp.provider.behave({ unreachable: true }, body.to);
    expect((await keyed(key, body)).status).toBe(502);
    chatapp.provider.behaviours.reset();
    await chatapp.consent(tenant.organizationId, body.to, 'opted_out');
    expect((await keyed(key, body)).status).toBe(409);
    await chatapp.consent(tenant.organizationId, body.to, 'opted_in');
    const healed = await keyed(key, body);
    expect([healed.status, healed.headers.get('idempotent-replayed')]).toEqual([200, null]);
  });

  it('derives the response from the state of the message if the process crashed before it stored a response', async () => {
    const key = newKey();
    const body = template();
    const { body: sent } = await keyed(key, body);
    const pretend = async (upstreamId: unknown, status: string): Promise<void> => {
      await chatapp.rows(
        `UPDATE idempotency.answers SET body = json_build_object('pending', $2::text) WHERE key = $1`,
        [key, sent['id']],
      );
      await chatapp.rows('UPDATE chatapp.messages SET upstream_id = $2, status = $3 WHERE id = $1', [
        sent['id'],
        upstreamId,
        status,
      ]);
    };
    await pretend(null, 'accepted');
    expect((await keyed(key, body)).body['code']).toBe('IDEMPOTENCY_IN_PROGRESS');
    await pretend(sent['chatappMessageId'], 'sent');
    const known = await keyed(key, body);
    expect([known.body, known.headers.get('idempotent-replayed')]).toEqual([sent, 'true']);
    await pretend(null, 'failed');
    expect((await keyed(key, body)).body['code']).toBe('IDEMPOTENCY_IN_PROGRESS');
    const anew = await keyed(key, body);
    expect([anew.status, anew.body['id'] === sent['id']]).toEqual([200, false]);
  });

  it('with an invalid format returns 400 INVALID_REQUEST', async () => {
    const answer = await keyed('x'.repeat(256), template());
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  });

  it('records a consent once', async () => {
    const key = newKey();
    const body = { number: newNumber(), status: 'opted_out', source: 'form' };
    const headers = { 'Idempotency-Key': key };
    const first = await chatapp.post(tenant.key, '/chatapp/consents', body, headers);
    await chatapp.consent(tenant.organizationId, body.number, 'opted_in');
    const second = await chatapp.post(tenant.key, '/api/chatapp/consents', body, headers);
    expect(second.text).toBe(first.text);
    const { body: list } = await chatapp.call('/chatapp/consents', { key: tenant.key });
    expect((list['consents'] as Record<string, unknown>[])[0]).toMatchObject({ status: 'opted_in' });
  });
});
