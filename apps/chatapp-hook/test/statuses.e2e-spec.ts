import { until } from '@heliograph/testing';
import { envelope, HookFixture, nowSeconds, statusOf, type Sent, type Tenant } from './hook-fixture';

describe('a status', () => {
  let hook: HookFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    hook = await HookFixture.shared();
    tenant = await hook.tenant();
  });

  const report = (...statuses: object[]) => hook.take(envelope({ statuses }));
  const eventOf = (sent: Sent, status: string) =>
    hook.events(`chatapp.${status}`).filter(({ data }) => data['messageId'] === sent.id);

  it.each([
    ['sent', 'sentAt'],
    ['delivered', 'deliveredAt'],
    ['read', 'readAt'],
    ['failed', 'failedAt'],
  ] as const)('%s updates the message, sets its timestamp, and is published once', async (status, column) => {
    const sent = await hook.send(tenant);
    const seconds = nowSeconds() - 100;
    await report(statusOf(sent, status, { timestamp: String(seconds) }));
    await report(statusOf(sent, status), statusOf(sent, status));
    const message = await hook.message(sent.id);
    expect([message.status, message[column]]).toEqual([status, new Date(seconds * 1000)]);
    await until('the event is published', () => eventOf(sent, status).length > 0);
    expect(eventOf(sent, status)).toHaveLength(1);
    expect(eventOf(sent, status)[0]).toMatchObject({ ...tenant, data: { chatappMessageId: sent.upstreamId } });
  });

  it('failed stores the first title of its errors', async () => {
    const sent = await hook.send(tenant);
    const errors = [
      { code: 131_026, title: 'Message undeliverable', error_data: { details: 'x' } },
      { code: 1, title: 'Another' },
    ];
    await report(statusOf(sent, 'failed', { errors }));
    expect(await hook.message(sent.id)).toMatchObject({
      status: 'failed',
      error: 'Message undeliverable',
      errorCode: 131_026,
    });
  });

  it('with any other name is ignored', async () => {
    const sent = await hook.send(tenant);
    await report(statusOf(sent, 'played'), statusOf(sent, 'deleted'), statusOf(sent, 'READ'));
    expect(await hook.message(sent.id)).toMatchObject({ status: 'accepted', readAt: null });
  });

  it('never moves a message backwards', async () => {
    const sent = await hook.send(tenant);
    for (const status of ['read', 'sent', 'delivered', 'failed']) await report(statusOf(sent, status));
    const message = await hook.message(sent.id);
    expect(message.status).toBe('read');
    for (const column of ['sentAt', 'deliveredAt', 'failedAt'] as const) expect(message[column]).not.toBeNull();
  });

  it('delivered overrides a failure', async () => {
    const sent = await hook.send(tenant);
    await report(statusOf(sent, 'failed'));
    await report(statusOf(sent, 'delivered'));
    expect((await hook.message(sent.id)).status).toBe('delivered');
  });

  it('that arrives before the response to the send finds its message by the id of the service', async () => {
    const sent = await hook.send(tenant, { answered: false });
    await report(statusOf(sent, 'delivered'));
    expect(await hook.message(sent.id)).toMatchObject({ status: 'delivered', upstreamId: sent.upstreamId });
    await hook.answer(sent);
    expect((await hook.message(sent.id)).status).toBe('delivered');
  });

  it('that arrives before the response and has no id of the service is applied when the response arrives', async () => {
    const sent = await hook.send(tenant, { answered: false });
    await report(statusOf(sent, 'sent', { biz_opaque_callback_data: undefined }));
    expect((await hook.message(sent.id)).status).toBe('accepted');
    await hook.answer(sent);
    expect((await hook.message(sent.id)).status).toBe('sent');
  });

  it('of an unknown message is acknowledged', async () => {
    await report({ id: 'wamid.unknown', status: 'sent', timestamp: '1790000000', recipient_id: '1' });
  });

  it('has the same effect in both of two processes', async () => {
    const other = await hook.beside();
    try {
      const sends = await Promise.all(Array.from({ length: 10 }, () => hook.send(tenant)));
      await Promise.all(
        ['read', 'sent', 'delivered', 'sent', 'read', 'delivered'].map((status, n) =>
          hook.take(
            envelope({ statuses: (n % 2 === 0 ? sends : sends.toReversed()).map((sent) => statusOf(sent, status)) }),
            { url: n % 2 === 0 ? other.url : hook.service.url },
          ),
        ),
      );
      for (const sent of sends) {
        expect((await hook.message(sent.id)).status).toBe('read');
        await until('the event is published', () => eventOf(sent, 'read').length > 0);
        expect(eventOf(sent, 'read')).toHaveLength(1);
      }
    } finally {
      await other.stop();
    }
  });
});
