import { HookFixture, newNumber, newUpstreamId, nowSeconds, type Tenant } from './hook-fixture';
import { contactOf, MESSAGES, OTHER_CHANGES, PRODUCT, STATUSES, vendorCall } from './vendor-payloads';

describe('the payloads of the real provider', () => {
  let hook: HookFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    hook = await HookFixture.start({ CHATAPP_PRODUCT: PRODUCT });
    tenant = await hook.tenant();
  });
  afterAll(() => hook.stop());

  it.each(Object.entries(MESSAGES))('are accepted and stored completely: %s', async (_what, make) => {
    const number = newNumber();
    const waId = number.slice(1);
    const timestamp = String(nowSeconds());
    const message = make({ from: waId, id: newUpstreamId(), timestamp });
    await hook.take(vendorCall({ contacts: [contactOf(waId)], messages: [message] }));
    const [stored] = await hook.inbound(String(message['id']));
    expect(stored).toMatchObject({
      sender: number,
      recipient: '+15550783881',
      type: message['type'],
      status: 'received',
      payload: message,
    });
    expect(stored!.accountId).not.toBeNull();
    const file = message[String(message['type'])] as { id?: string } | undefined;
    expect(stored!.mediaId).toBe(file?.id ?? null);
  });

  it('are accepted from a sender who hides the phone number', async () => {
    const message = {
      from_user_id: 'US.20450001112223334',
      id: newUpstreamId(),
      timestamp: String(nowSeconds()),
      type: 'text',
      text: { body: 'stop' },
    };
    await hook.take(vendorCall({ contacts: [{ profile: { username: 'ann' } }], messages: [message] }));
    expect(await hook.inbound(message.id)).toMatchObject([{ sender: 'US.20450001112223334', organizationId: null }]);
  });

  it.each(Object.entries(STATUSES))('are accepted and applied: the status %s', async (_what, { means, fields }) => {
    const sent = await hook.send(tenant);
    const timestamp = nowSeconds() - 5;
    const recipient = { recipient_id: sent.number.slice(1) };
    await hook.take(
      vendorCall({
        contacts: [contactOf(sent.number.slice(1))],
        statuses: [{ id: sent.upstreamId, timestamp: String(timestamp), ...recipient, ...fields }],
      }),
    );
    const message = await hook.message(sent.id);
    expect(message.status).toBe(means ?? 'accepted');
    if (means === null) return;
    expect(message[`${means}At`]).toEqual(new Date(timestamp * 1000));
    if (means === 'failed') expect(message).toMatchObject({ error: 'Message undeliverable', errorCode: 131_026 });
  });

  it('are accepted if messages, statuses and errors arrive in one call', async () => {
    const sent = await hook.send(tenant);
    const id = newUpstreamId();
    const timestamp = String(nowSeconds());
    const errors = [
      { code: 130_429, title: 'Rate limit hit', message: 'Rate limit hit', error_data: { details: 'x' } },
    ];
    await hook.take(
      vendorCall(
        { errors },
        { statuses: [{ id: sent.upstreamId, status: 'delivered', timestamp }] },
        { messages: [MESSAGES['text']!({ from: sent.number.slice(1), id, timestamp })], errors },
      ),
    );
    expect((await hook.message(sent.id)).status).toBe('delivered');
    expect(await hook.inbound(id)).toMatchObject([tenant]);
  });

  it.each(OTHER_CHANGES.map((change) => [change.field, change] as const))(
    'are acknowledged and ignored: a change of %s',
    async (_field, change) => {
      const before = await hook.query('SELECT count(*) FROM chatapp.messages');
      await hook.take({ object: `${PRODUCT}_business_account`, entry: [{ id: '1', time: 1, changes: [change] }] });
      expect(await hook.query('SELECT count(*) FROM chatapp.messages')).toEqual(before);
    },
  );
});
