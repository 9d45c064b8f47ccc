import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { ProviderFixture } from '../provider.fixture';

const digits = z.string().regex(/^\d+$/);
/** The webhooks in the documented format of the vendor. */
const statusShape = z.strictObject({
  id: z.string(),
  status: z.string(),
  timestamp: digits,
  recipient_id: digits,
  biz_opaque_callback_data: z.string().optional(),
  conversation: z
    .strictObject({
      id: z.string(),
      expiration_timestamp: digits.optional(),
      origin: z.strictObject({ type: z.string() }),
    })
    .optional(),
  pricing: z
    .strictObject({ billable: z.boolean(), pricing_model: z.enum(['CBP', 'PMP']), category: z.string() })
    .optional(),
  errors: z.array(z.looseObject({ code: z.number(), title: z.string() })).optional(),
});
const common = {
  messaging_product: z.literal('chatapp'),
  metadata: z.strictObject({ display_phone_number: digits, phone_number_id: digits }),
};
const valueShape = z.union([
  z.strictObject({
    ...common,
    contacts: z.array(z.strictObject({ profile: z.strictObject({ name: z.string() }), wa_id: digits })).min(1),
    messages: z.array(z.looseObject({ from: digits, id: z.string(), timestamp: digits, type: z.string() })).min(1),
  }),
  z.strictObject({ ...common, statuses: z.array(statusShape).min(1) }),
]);
const webhookShape = z.strictObject({
  object: z.literal('chatapp_business_account'),
  entry: z
    .array(
      z.strictObject({
        id: digits,
        changes: z.array(z.strictObject({ value: valueShape, field: z.literal('messages') })).min(1),
      }),
    )
    .min(1),
});

let fixture: ProviderFixture;

beforeEach(async () => {
  fixture = await ProviderFixture.start();
});

afterEach(() => fixture.stop());

const values = () => webhookShape.parse(fixture.lastWebhook()).entry[0]!.changes.map(({ value }) => value);

async function sendText(callbackData?: string): Promise<string> {
  fixture.provider.receive({ from: '491511234567', message: { type: 'text' } });
  const { body } = await fixture.send({
    type: 'text',
    text: { body: 'hello' },
    ...(callbackData === undefined ? {} : { biz_opaque_callback_data: callbackData }),
  });
  return (body['messages'] as { id: string }[])[0]!.id;
}

describe('webhooks of the provider', () => {
  it('are signed over the sent bytes', async () => {
    await fixture.provider.postInbound({ from: '+49 151', message: { type: 'text', text: { body: 'grüße 😀' } } });
    const [{ raw, headers }] = fixture.webhooks as [(typeof fixture.webhooks)[0]];
    const expected = createHmac('sha256', fixture.provider.account.appSecret).update(raw).digest('hex');
    expect(headers['x-hub-signature-256']).toBe(`sha256=${expected}`);
    expect(headers['content-type']).toContain('application/json');
  });

  it('are unsigned without a secret, and name the configured product', async () => {
    await fixture.stop();
    fixture = await ProviderFixture.start({ appSecret: '', product: 'otherapp' });
    await fixture.provider.postInbound({ from: '49151', message: { type: 'text' } });
    expect(fixture.webhooks[0]!.headers).not.toHaveProperty('x-hub-signature-256');
    expect(fixture.lastWebhook()).toMatchObject({
      object: 'otherapp_business_account',
      entry: [{ changes: [{ value: { messaging_product: 'otherapp' } }] }],
    });
  });

  it.each([
    { type: 'text', text: { body: 'hello' } },
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: { id: 'a', title: 'A' } } },
    { type: 'something_new', something_new: { a: 1 } },
  ])('contain a message of the type $type', async (message) => {
    const answer = await fixture.provider.postInbound({ from: '+49 151 123', message, timestamp: 1_700_000_000 });
    expect(answer).toEqual({ status: 200, body: { ok: true }, messageId: expect.stringMatching(/^camid\./) });
    const { account } = fixture.provider;
    expect(values()).toEqual([
      {
        messaging_product: 'chatapp',
        metadata: { display_phone_number: account.displayPhoneNumber, phone_number_id: account.phoneNumberId },
        contacts: [{ profile: { name: expect.any(String) }, wa_id: '49151123' }],
        messages: [{ ...message, from: '49151123', id: answer.messageId, timestamp: '1700000000' }],
      },
    ]);
  });

  it('contain the statuses of a message with its callback data and price', async () => {
    const id = await sendText('ours-1');
    const posted = [];
    for (const status of ['sent', 'delivered', 'read', 'shredded']) {
      await fixture.provider.postStatus({ id, status, timestamp: 1_700_000_000 });
      posted.push(values()[0]);
    }
    const base = { id, timestamp: '1700000000', recipient_id: '491511234567', biz_opaque_callback_data: 'ours-1' };
    const pricing = { billable: true, pricing_model: 'CBP', category: 'service' };
    const conversation = { id: expect.any(String), origin: { type: 'service' } };
    expect(posted).toMatchObject([
      {
        statuses: [
          { ...base, status: 'sent', pricing, conversation: { ...conversation, expiration_timestamp: '1700086400' } },
        ],
      },
      { statuses: [{ ...base, status: 'delivered', pricing, conversation }] },
      { statuses: [{ ...base, status: 'read' }] },
      { statuses: [{ ...base, status: 'shredded' }] },
    ]);
    expect(posted[2]).not.toHaveProperty('statuses.0.pricing');
  });

  it('contain the errors of a failed message', async () => {
    const errors = [{ code: 131026, title: 'Message undeliverable', error_data: { details: 'x' } }];
    await fixture.provider.postStatus({ id: await sendText(), status: 'failed', errors });
    expect(values()).toMatchObject([{ statuses: [{ status: 'failed', errors }] }]);
    expect(values()[0]).not.toHaveProperty('statuses.0.biz_opaque_callback_data');
  });

  it('can contain 1,000 updates', async () => {
    const inputs = Array.from({ length: 500 }, (_, index) => [
      { from: `49151${index % 7}`, message: { type: 'text', text: { body: 'x' } } },
      { id: `camid.${index}`, status: 'read', recipient: '491' },
    ]).flat();
    const { messageIds, status } = await fixture.provider.postUpdates(inputs);
    expect(status).toBe(200);
    expect(fixture.webhooks).toHaveLength(1);
    expect(values()).toMatchObject([
      { contacts: { length: 7 }, messages: { length: 500 } },
      { statuses: { length: 500 } },
    ]);
    expect(new Set(messageIds).size).toBe(1_000);
  });

  it('are posted to the current URL', async () => {
    const { hookUrl } = fixture.provider;
    fixture.provider.hookUrl = null;
    await expect(fixture.provider.postInbound({ from: '491', message: { type: 'text' } })).rejects.toThrow('not set');
    let url = 'http://127.0.0.1:1/';
    fixture.provider.hookUrl = () => url;
    await expect(fixture.provider.postInbound({ from: '491', message: { type: 'text' } })).rejects.toThrow();
    url = String(hookUrl);
    fixture.hookAnswer = { status: 503, body: 'busy' };
    expect(await fixture.provider.postInbound({ from: '491', message: { type: 'text' } })).toMatchObject({
      status: 503,
      body: 'busy',
    });
  });
});
