import { until } from '@heliograph/testing';
import { envelope, HookFixture, newNumber, nowSeconds, textFrom, type Tenant } from './hook-fixture';

const STOPS = ['stop', 'unsubscribe', 'cancel', 'end', 'quit'];
const STARTS = ['start', 'unstop', 'subscribe'];

describe('a consent keyword', () => {
  let hook: HookFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    hook = await HookFixture.shared();
    tenant = await hook.tenant();
  });

  const say = async (number: string, body: string, secondsAgo = 0) => {
    const message = textFrom(number, body, { timestamp: String(nowSeconds() - secondsAgo) });
    await hook.take(envelope({ messages: [message] }));
    return message;
  };

  it.each(STOPS)(
    '%s opts out of the organization that wrote last, takes effect with the response, and publishes the change',
    async (word) => {
      const { number } = await hook.send(tenant);
      await say(number, ` ${word.toUpperCase()}\n`);
      expect(await hook.consent(tenant, number)).toEqual(['opted_out', 'keyword_stop']);
      await expect(hook.send(tenant, { number })).rejects.toThrow('opted_out');
      const event = await until('the event is published', () =>
        hook
          .events('chatapp.consent.changed')
          .find(({ data }) => data['number'] === number && data['source'] === 'keyword_stop'),
      );
      expect(event).toMatchObject({ organizationId: tenant.organizationId, data: { status: 'opted_out' } });
    },
  );

  it.each(STARTS)('%s opts in again', async (word) => {
    const { number } = await hook.send(tenant);
    await say(number, 'stop', 10);
    await say(number, word);
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'keyword_start']);
    await hook.send(tenant, { number });
  });

  it.each(['please stop', 'stop it', 'STOP!', 'stopping', 'do not stop'])(
    'is ignored inside a longer sentence: %s',
    async (body) => {
      const { number } = await hook.send(tenant);
      await say(number, body);
      expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
    },
  );

  it('applies only to the organization that messaged the number most recently', async () => {
    const earlier = await hook.tenant();
    const later = await hook.tenant();
    const { number } = await hook.send(earlier);
    await hook.send(later, { number });
    await say(number, 'stop');
    expect(await hook.consent(later, number)).toEqual(['opted_out', 'keyword_stop']);
    expect(await hook.consent(earlier, number)).toEqual(['opted_in', 'send']);
  });

  it('has no effect before any organization messages the number, although the first one then sees the message', async () => {
    const number = newNumber();
    const message = await say(number, 'stop');
    expect(await hook.inbound(message.id)).toMatchObject([{ organizationId: null }]);
    await hook.send(tenant, { number });
    await hook.take(envelope({ messages: [message] }));
    expect(await hook.inbound(message.id)).toMatchObject([tenant]);
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
  });

  it('does not override a newer keyword when it arrives late', async () => {
    const { number } = await hook.send(tenant);
    await say(number, 'start', 5);
    await say(number, 'stop', 60);
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'keyword_start']);
  });

  it('does not override a newer keyword when it is repeated', async () => {
    const { number } = await hook.send(tenant);
    const stop = await say(number, 'stop');
    await say(number, 'start');
    await hook.take(envelope({ messages: [stop] }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'keyword_start']);
  });

  it('applies in the order of the messages in a call', async () => {
    const { number } = await hook.send(tenant);
    await hook.take(envelope({ messages: ['stop', 'start', 'quit'].map((word) => textFrom(number, word)) }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_out', 'keyword_stop']);
  });

  it('has no effect in the caption of a file', async () => {
    const { number } = await hook.send(tenant);
    const image = { ...textFrom(number, 'stop'), type: 'image', image: { id: '1', caption: 'stop' } };
    await hook.take(envelope({ messages: [image] }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_in', 'send']);
  });

  it.each([
    ['a button of a template', { type: 'button', button: { text: 'Stop', payload: 'P-1' } }],
    ['a reply button', { type: 'interactive', interactive: { button_reply: { id: 'stop', title: 'No thanks' } } }],
    ['a row of a list', { type: 'interactive', interactive: { list_reply: { id: '7', title: 'Unsubscribe' } } }],
  ])('opts out by %s', async (_, reply) => {
    const { number } = await hook.send(tenant);
    await hook.take(envelope({ messages: [{ ...textFrom(number, ''), text: undefined, ...reply }] }));
    expect(await hook.consent(tenant, number)).toEqual(['opted_out', 'keyword_stop']);
  });
});
