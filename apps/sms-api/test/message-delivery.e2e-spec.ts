import {
  parseEvent,
  creditsCharged,
  creditsRefunded,
  smsDelivered,
  smsFailed,
  smsQueued,
  smsSent,
} from '@heliograph/contracts';
import { tapEvents, until, type EventTap } from '@heliograph/testing';
import { call, postJson } from './calls';
import { RECIPIENT, SmsFixture, type SmsTenant } from './sms-fixture';

describe('the delivery of a message', () => {
  let sms: SmsFixture;
  let tap: EventTap;

  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tap = await tapEvents(sms.service.amqpPrefix);
  });
  afterAll(() => tap.close());
  afterEach(() => sms.carrier.behaviours.reset());

  const send = async (tenant: SmsTenant, to = RECIPIENT): Promise<{ messageId: string; creditsRemaining: number }> => {
    const answer = await postJson(sms, tenant.key, { from: tenant.sender.header, to, variables: { code: '123456' } });
    expect(answer.status).toBe(200);
    return answer.body as { messageId: string; creditsRemaining: number };
  };
  const status = async (
    tenant: SmsTenant,
    id: string,
  ): Promise<{ status: string; lastError: string | null; sentAt: string | null }> =>
    (await call(sms, `/sms/status?id=${id}`, { key: tenant.key })).body as never;
  const balance = async (tenant: SmsTenant): Promise<number> =>
    ((await call(sms, '/sms/balance', { key: tenant.key })).body as { balance: number }).balance;

  it('passes through HTTP, ledger, bus and SMPP to the carrier and ends as delivered', async () => {
    const tenant = await sms.tenant();
    const { messageId, creditsRemaining } = await send(tenant, '+919876500001');
    expect(creditsRemaining).toBe(999);
    const record = await until('the message is delivered', async () => {
      const now = await status(tenant, messageId);
      return now.status === 'delivered' && now;
    });
    expect(record.sentAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/);
    expect(sms.carrier.messages('+919876500001')).toMatchObject([
      {
        source: tenant.sender.header,
        text: 'Your code is 123456',
        tlvs: { '0x1400': '1101000000000000001', '0x1401': '1107000000000000001' },
      },
    ]);
    const mine = await until('all events are published', () => {
      const events = tap.events.filter(({ workspaceId }) => workspaceId === tenant.workspaceId);
      // Events from the creation of the tenant have no correlation id of a request.
      const ofCall = events.filter(({ correlationId }) => correlationId !== null);
      return ofCall.length >= 4 && ofCall;
    });
    expect(mine.map(({ type }) => type).sort()).toEqual(['credits.charged', 'sms.delivered', 'sms.queued', 'sms.sent']);
    const of = (type: string) => mine.find((event) => event.type === type);
    expect(parseEvent(smsQueued, of('sms.queued')).data).toMatchObject({ messageId, country: 'IN', creditsCost: 1 });
    expect(parseEvent(smsSent, of('sms.sent')).data).toMatchObject({ messageId, carrier: 'simulator' });
    expect(parseEvent(smsDelivered, of('sms.delivered')).data).toMatchObject({ messageId });
    expect(parseEvent(creditsCharged, of('credits.charged')).data).toMatchObject({
      amount: -1,
      balanceAfter: 999,
      reference: `sms:${messageId}`,
    });
  });

  it('row 35: fails and refunds a message that the carrier rejects permanently, with a reason in one sentence', async () => {
    const tenant = await sms.tenant();
    sms.carrier.behave({ submit: 'reject', commandStatus: 0x0b }, '+919876500002');
    const { messageId } = await send(tenant, '+919876500002');
    const record = await until('the message has failed', async () => {
      const now = await status(tenant, messageId);
      return now.status === 'failed' && now;
    });
    // The reason is one sentence.
    expect(record.lastError).toBe('The carrier rejected the message: 0x0000000b (invalid destination address).');
    expect(await balance(tenant)).toBe(1_000);
    const events = await until('both events are published', () => {
      const mine = tap.events.filter(
        ({ workspaceId, type }) => workspaceId === tenant.workspaceId && /failed|refunded/.test(type),
      );
      return mine.length === 2 && mine;
    });
    expect(
      parseEvent(
        smsFailed,
        events.find(({ type }) => type === 'sms.failed'),
      ).data,
    ).toMatchObject({ messageId, refunded: true });
    expect(
      parseEvent(
        creditsRefunded,
        events.find(({ type }) => type === 'credits.refunded'),
      ).data,
    ).toMatchObject({ amount: 1, balanceAfter: 1_000 });
  });

  it('fails without a refund on an undelivered receipt', async () => {
    const tenant = await sms.tenant();
    sms.carrier.behave({ submit: 'accept', receipt: 'undeliverable' }, '+919876500003');
    const { messageId } = await send(tenant, '+919876500003');
    const record = await until('the message has failed', async () => {
      const now = await status(tenant, messageId);
      return now.status === 'failed' && now;
    });
    expect(record.lastError).toContain('undeliverable');
    expect(await balance(tenant)).toBe(999);
  });

  it('assigns a receipt that arrives before the response to its submit', async () => {
    const tenant = await sms.tenant();
    sms.carrier.behave(
      { submit: 'accept', receipt: 'delivered', receiptBeforeResponse: true, receiptDelayMs: 0 },
      '+919876500004',
    );
    const { messageId } = await send(tenant, '+919876500004');
    await until('the message is delivered', async () => (await status(tenant, messageId)).status === 'delivered');
    expect(await sms.database.query('SELECT 1 FROM sms.unmatched_receipts')).toEqual([]);
  });

  it.each([
    ['in UCS-2 without TLVs', { receiptWithoutTlvs: true, receiptDataCoding: 8 }],
    ['in Latin-1 without TLVs', { receiptWithoutTlvs: true, receiptDataCoding: 3 }],
    ['without TLVs and a state', { receiptWithoutTlvs: true, receiptWithoutStat: true }],
    ['without TLVs and a message type', { receiptWithoutTlvs: true, receiptWithoutMessageType: true }],
    ['with a done date in the year 2099', { receiptDoneDate: '9912312359' }],
  ] as const)('ends with a receipt %s, between submit and now', async (_, behaviour) => {
    const tenant = await sms.tenant();
    const to = sms.recipient();
    sms.carrier.behave({ submit: 'accept', ...behaviour }, to);
    const { messageId } = await send(tenant, to);
    await until('the message is delivered', async () => (await status(tenant, messageId)).status === 'delivered');
    const [times] = await sms.database.query<{ sane: boolean }>(
      'SELECT finished_at BETWEEN sent_at AND now() AS sane FROM sms.messages WHERE id = $1',
      [messageId],
    );
    expect(times).toEqual({ sane: true });
  });

  it('ends as delivered if the carrier sends a receipt for the last part only', async () => {
    const tenant = await sms.tenant({ template: { body: '{{text}}' } });
    const to = sms.recipient();
    sms.carrier.behave({ submit: 'accept', receiptParts: 'last' }, to);
    const answer = await postJson(sms, tenant.key, {
      from: tenant.sender.header,
      to,
      variables: { text: 'x'.repeat(400) },
    });
    expect(answer.status).toBe(200);
    const { messageId } = answer.body as { messageId: string };
    const age = `UPDATE sms.partial_deliveries SET received_at = received_at - interval '31 seconds'
      WHERE message_id = $1 RETURNING 1`;
    await until('the receipt is stored', async () => (await sms.database.query(age, [messageId])).length === 1);
    await until('the message is delivered', async () => (await status(tenant, messageId)).status === 'delivered');
  });

  it('retries a throttled message without a second charge', async () => {
    const tenant = await sms.tenant();
    sms.carrier.behave({ submit: 'throttle' }, '+919876500005');
    const { messageId } = await send(tenant, '+919876500005');
    await until('the message was throttled', () =>
      sms.carrier.messages('+919876500005').some(({ accepted }) => !accepted),
    );
    sms.carrier.behaviours.reset();
    await until('the message is delivered', async () => (await status(tenant, messageId)).status === 'delivered');
    expect(await balance(tenant)).toBe(999);
    // The timeline shows each submit with its answer, and the id of the accepted one.
    const [stored] = await sms.database.query<{ attempts: object[]; upstream_ids: string[] }>(
      'SELECT attempts, upstream_ids FROM sms.messages WHERE id = $1',
      [messageId],
    );
    const submitted = sms.carrier.messages('+919876500005');
    expect(stored?.attempts.slice(0, 1)).toEqual([
      {
        at: expect.any(String) as string,
        upstream: 'simulator',
        outcome: 'throttled',
        error: 'The carrier throttled the submit: 0x00000058 (throttled).',
      },
    ]);
    expect(stored?.attempts).toHaveLength(submitted.filter(({ accepted }) => !accepted).length);
    expect(stored?.upstream_ids).toEqual([submitted.at(-1)?.upstreamId]);
  });

  it('resubmits a message without a response and gives up after three submits', async () => {
    const tenant = await sms.tenant();
    sms.carrier.behave({ submit: 'silent' }, '+919876500006');
    const { messageId } = await send(tenant, '+919876500006');
    const record = await until('the message has failed', async () => {
      const now = await status(tenant, messageId);
      return now.status === 'failed' && now;
    });
    expect(record.lastError).toContain('may have accepted the message');
    expect(sms.carrier.messages('+919876500006')).toHaveLength(3);
    expect(await balance(tenant)).toBe(999);
    const [stored] = await sms.database.query<{
      attempts: { outcome: string; error: string }[];
      client_address: string;
    }>(
      `SELECT attempts, client_address FROM sms.messages AS m JOIN auth.api_keys AS k ON k.id = m.key_id
       WHERE m.id = $1 AND k.organization_id = m.organization_id AND m.claimed_at >= m.created_at`,
      [messageId],
    );
    expect(stored?.attempts.map(({ outcome }) => outcome)).toEqual(['unresolved', 'unresolved', 'given_up']);
    expect(stored?.client_address).toMatch(/127\.0\.0\.1$/);
  });

  it('marks a long message as delivered only when all its parts are delivered', async () => {
    const tenant = await sms.tenant({ template: { body: '{{text}}' } });
    const answer = await postJson(sms, tenant.key, {
      from: tenant.sender.header,
      to: '+919876500007',
      variables: { text: 'é€'.repeat(200) },
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ encoding: 'gsm-7', segments: 4, creditsCost: 4, creditsRemaining: 996 });
    const { messageId } = answer.body as { messageId: string };
    await until('the message is delivered', async () => (await status(tenant, messageId)).status === 'delivered');
    expect(sms.carrier.messages('+919876500007')).toMatchObject([{ parts: 4, text: 'é€'.repeat(200) }]);
  });
});
