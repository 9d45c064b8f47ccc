import { until } from '@heliograph/testing';
import { ChatappFixture } from './chatapp-fixture';

describe('the sending switch', () => {
  let chatapp: ChatappFixture;
  beforeAll(async () => {
    chatapp = await ChatappFixture.start();
  });
  afterAll(() => chatapp.stop());

  it('defaults to the configuration and returns 503 CHATAPP_DISABLED before the request is validated', async () => {
    const off = await chatapp.beside({ CHATAPP_SENDING_ENABLED: 'false' });
    const { key } = await chatapp.tenant();
    for (const answer of [
      await off.post(key, '/chatapp/send', '{'),
      await off.call('/api/chatapp/send?to=x', { key }),
    ]) {
      expect([answer.status, answer.body['code']]).toEqual([503, 'CHATAPP_DISABLED']);
      expect(answer.headers.get('retry-after')).not.toBeNull();
    }
    expect((await off.call('/chatapp/account', { key })).body).toMatchObject({ enabled: false, configured: true });
    await off.service.stop();
  });

  it('is checked before the Idempotency-Key', async () => {
    const off = await chatapp.beside({ CHATAPP_SENDING_ENABLED: 'false' });
    const { key } = await chatapp.tenant();
    const headers = { 'Idempotency-Key': '""' };
    for (const [service, code] of [
      [off, 'CHATAPP_DISABLED'],
      [chatapp, 'INVALID_REQUEST'],
    ] as const) {
      for (const answer of [
        await service.post(key, '/chatapp/send', {}, headers),
        await service.call('/chatapp/send?to=x', { key, headers }),
      ]) {
        expect(answer.body['code']).toBe(code);
      }
    }
    await off.service.stop();
  });

  it('can be changed at run time and is applied in every process within two seconds', async () => {
    const beside = await chatapp.beside();
    const { key } = await chatapp.tenant();
    const enabled = async (service: ChatappFixture) =>
      (await service.call('/chatapp/account', { key })).body['enabled'] as boolean;
    const turn = (to: boolean) =>
      chatapp.rows(
        `INSERT INTO chatapp.sending_switch (id, is_enabled) VALUES (1, $1)
         ON CONFLICT (id) DO UPDATE SET is_enabled = excluded.is_enabled`,
        [to],
      );
    for (const wanted of [false, true]) {
      await turn(wanted);
      for (const service of [chatapp, beside]) {
        await until(`sending is ${wanted}`, async () => (await enabled(service)) === wanted, { timeoutMs: 2_000 });
        const answer = await service.post(key, '/chatapp/send', {});
        expect(answer.body['code']).toBe(wanted ? 'INVALID_RECIPIENT' : 'CHATAPP_DISABLED');
      }
    }
    await chatapp.rows('DELETE FROM chatapp.sending_switch');
    await beside.service.stop();
  });

  it.each(['CHATAPP_ACCESS_TOKEN', 'CHATAPP_PHONE_NUMBER_ID', 'CHATAPP_BUSINESS_ACCOUNT_ID'])(
    'returns 503 CHATAPP_NOT_CONFIGURED without %s on every route that needs the provider',
    async (name) => {
      const bare = await chatapp.beside({ [name]: '' });
      const { key } = await chatapp.tenant();
      for (const answer of [
        await bare.post(key, '/chatapp/send', {}),
        await bare.post(key, '/chatapp/mark-read', { messageId: 'wamid.1' }),
        await bare.post(key, '/chatapp/templates/sync', {}),
      ]) {
        expect([answer.status, answer.body['code']]).toEqual([503, 'CHATAPP_NOT_CONFIGURED']);
      }
      expect((await bare.call('/chatapp/account', { key })).body).toMatchObject({ enabled: true, configured: false });
      expect((await bare.call('/chatapp/messages', { key })).status).toBe(200);
      await bare.service.stop();
    },
  );
});
