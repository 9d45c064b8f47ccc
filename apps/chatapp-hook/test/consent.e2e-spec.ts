import { until } from '@heliograph/testing';
import { envelope, HookFixture, newNumber, nowSeconds, textFrom, type Tenant } from './hook-fixture';

const STOPS = ['stop', 'unsubscribe', 'cancel', 'end', 'quit'];
const STARTS = ['start', 'unstop', 'subscribe'];

describe('a consent keyword', () => {
  let hook: HookFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    hook = await HookFixture.start();
    tenant = await hook.tenant();
  });
  afterAll(() => hook.stop());

  const say = async (number: string, body: string, secondsAgo = 0) => {
    const message = textFrom(number, body, { timestamp: String(nowSeconds() - secondsAgo) });
    await hook.take(envelope({ messages: [message] }));
    return message;
  };

  it.each(STOPS)('%s opts out of who wrote last, in force with the answer, and tells the bus', async (word) => {
    const { number } = await hook.send(tenant);
    await say(number, ` ${word.toUpperCase()}\n`);
    expect(await hook.consent(tenant, number)).toEqual(['opted_out', 'keyword_stop']);
    await expect(hook.send(tenant, { number })).rejects.toThrow('opted_out');
    const event = await until('the bus carries it', () =>
      hook
        .events('chatapp.consent.changed')
        .find(({ data }) => data['number'] === number && data['source'] === 'keyword_stop'),
    );
    expect(event).toMatchObject({ organizationId: tenant.organizationId, data: { status: 'opted_out' } });
  });

  it.each(STARTS)('%s opts in again', async (word) => {
    const { number } = await hook.send(tenant);
    await say(number, 'stop', 10);
    await say(number, word);
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'keyword_start']);
    await hook.send(tenant, { number });
  });

  it.each(['please stop', 'stop it', 'STOP!', 'stopping', 'do not stop'])(
    'inside a longer sentence does nothing: %s',
    async (body) => {
      const { number } = await hook.send(tenant);
      await say(number, body);
      expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
    },
  );

  it('is for the organization that messaged the number most recently, and for no other', async () => {
    const [earlier, later] = [await hook.tenant(), await hook.tenant()];
    const { number } = await hook.send(earlier);
    await hook.send(later, { number });
    await say(number, 'stop');
    expect(await hook.consent(later, number)).toEqual(['opted_out', 'keyword_stop']);
    expect(await hook.consent(earlier, number)).toEqual(['opted_in', 'send']);
  });

  it('of who nobody had written to never acts, though the message shows to the first who does', async () => {
    const number = newNumber();
    const message = await say(number, 'stop');
    expect(await hook.inbound(message.id)).toMatchObject([{ organizationId: null }]);
    await hook.send(tenant, { number });
    await hook.take(envelope({ messages: [message] }));
    expect(await hook.inbound(message.id)).toMatchObject([tenant]);
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
  });

  it('that comes late does not undo a newer one', async () => {
    const { number } = await hook.send(tenant);
    await say(number, 'start', 5);
    await say(number, 'stop', 60);
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'keyword_start']);
  });

  it('that is repeated does not undo what came after it', async () => {
    const { number } = await hook.send(tenant);
    const stop = await say(number, 'stop');
    await say(number, 'start');
    await hook.take(envelope({ messages: [stop] }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'keyword_start']);
  });

  it('counts in the order of the call', async () => {
    const { number } = await hook.send(tenant);
    await hook.take(envelope({ messages: ['stop', 'start', 'quit'].map((word) => textFrom(number, word)) }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_out', 'keyword_stop']);
  });

  it('does nothing in what is no text message', async () => {
    const { number } = await hook.send(tenant);
    const image = { ...textFrom(number, 'stop'), type: 'image', image: { id: '1', caption: 'stop' } };
    const button = { ...textFrom(number, 'stop'), type: 'button', button: { text: 'stop', payload: 'stop' } };
    await hook.take(envelope({ messages: [image, button] }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
  });
});
