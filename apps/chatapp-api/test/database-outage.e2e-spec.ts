import { TcpProxy, testServers, until } from '@heliograph/testing';
import { ChatappFixture, newNumber } from './chatapp-fixture';

describe('an outage of the database', () => {
  let chatapp: ChatappFixture;
  let proxy: TcpProxy;
  beforeAll(async () => {
    proxy = await TcpProxy.start(testServers.databaseUrl);
    chatapp = await ChatappFixture.shared();
  });
  afterAll(() => proxy.stop());

  it('before the charge causes 503 with Retry-After, nothing is sent, and the service recovers without a restart', async () => {
    const behind = await chatapp.beside({ DATABASE_URL: proxy.through(chatapp.database.url) });
    const tenant = await chatapp.tenant();
    const name = await chatapp.template(null);
    const body = (to: string) => ({ to, type: 'template', template: { name } });
    expect((await behind.send(tenant, body(newNumber()))).status).toBe(200);
    proxy.cut();
    const to = newNumber();
    const refused = await behind.send(tenant, body(to));
    expect([refused.status, refused.body['code']]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(refused.headers.get('retry-after')).not.toBeNull();
    expect(chatapp.provider.messages(to)).toEqual([]);
    proxy.heal();
    await until('sends are accepted again', async () => (await behind.send(tenant, body(newNumber()))).status === 200);
    await behind.service.stop();
  });

  it('between the charge and the response does not affect the response, which is stored when the database is available again', async () => {
    const behind = await chatapp.beside({ DATABASE_URL: proxy.through(chatapp.database.url) });
    const tenant = await chatapp.tenant();
    const name = await chatapp.template(null);
    const to = newNumber();
    chatapp.provider.behave({ delayMs: 1_500 }, to);
    const sending = behind.send(tenant, { to, type: 'template', template: { name } });
    const stored = () =>
      chatapp.rows<{ upstream_id: string | null }>('SELECT upstream_id FROM chatapp.messages WHERE recipient = $1', [
        to,
      ]);
    await until('the message is charged', async () => (await stored()).length === 1);
    proxy.cut();
    const answer = await sending;
    expect([answer.status, answer.body['ok']]).toEqual([200, true]);
    expect((await stored())[0]).toEqual({ upstream_id: null });
    proxy.heal();
    await until(
      'the response is stored',
      async () => (await stored())[0]?.upstream_id === answer.body['chatappMessageId'],
    );
    expect(chatapp.provider.messages(to)).toHaveLength(1);
    chatapp.provider.behaviours.reset();
    await behind.service.stop();
  });
});
