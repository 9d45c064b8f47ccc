import type { SmsFixture, SmsTenant } from './sms-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

interface Check {
  name: string;
  result: string;
  message: string | null;
}

/** A tenant with the objects that the cases need. */
interface World extends SmsTenant {
  inactiveSender: string;
  unapprovedSender: string;
  senderWithoutDlt: string;
  german: string;
  inactiveTemplate: string;
  foreignTemplate: string;
  templateWithoutDlt: string;
}

/** A send and the names of its failed checks; an accepted send has none. */
type Case = [what: string, body: (world: World) => Fields, ...refusedBy: string[]];

const ABROAD = '+14155550100';

const CASES: Case[] = [
  ['a template', ({ sender, template }) => ({ sender_id: sender.id, template_id: template.id })],
  ['a scheduled message', ({ sender, template }) => ({ ...by(sender.id, template.id), scheduled_at: SCHEDULED })],
  ['a text that matches a template', ({ sender }) => ({ sender_id: sender.header, message: 'Your code is 42' })],
  [
    'a long text to another country',
    ({ german }) => ({ sender_id: german, message: 'ü€'.repeat(200), to: '+4915112345678' }),
  ],
  ['a message from the only sender of a country', () => ({ message: 'Guten Tag', to: '+4915112345678' })],
  ['a flash message', ({ sender, template }) => ({ ...by(sender.id, template.id), flash: true })],
  ['a text that matches no template', ({ sender }) => ({ sender_id: sender.id, message: 'Buy now' }), 'template'],
  ['an empty text', ({ sender }) => ({ sender_id: sender.id, message: ' ' }), 'content'],
  [
    'a text that is too long',
    ({ german }) => ({ sender_id: german, message: 'x'.repeat(90_000), to: '+4915112345678' }),
    'content',
  ],
  ['an unknown template', ({ sender }) => by(sender.id, 'nothing'), 'template'],
  ['an inactive template', ({ sender, inactiveTemplate }) => by(sender.id, inactiveTemplate), 'template'],
  ['a template of another onboarding', ({ sender, foreignTemplate }) => by(sender.id, foreignTemplate), 'template'],
  [
    'a template without a DLT id',
    ({ sender, templateWithoutDlt }) => ({ ...by(sender.id, templateWithoutDlt), variables: { x: '1' } }),
    'dlt',
  ],
  ['a sender without a DLT id', ({ senderWithoutDlt, template }) => by(senderWithoutDlt, template.id), 'dlt'],
  ['an unknown sender', ({ template }) => by('NOBODY', template.id), 'sender'],
  ['an inactive sender', ({ inactiveSender, template }) => by(inactiveSender, template.id), 'sender'],
  [
    'a sender whose onboarding is not approved',
    ({ unapprovedSender, template }) => by(unapprovedSender, template.id),
    'sender',
    'template',
  ],
  ['several active senders', ({ template }) => ({ template_id: template.id }), 'sender'],
  ['a message without a sender for the country', () => ({ message: 'Hello', to: ABROAD }), 'sender'],
  [
    'a number of another country',
    ({ sender, template }) => ({ ...by(sender.id, template.id), to: ABROAD }),
    'recipient',
  ],
  ['text instead of a number', ({ template }) => ({ template_id: template.id, to: 'me' }), 'recipient'],
  ['a missing variable', ({ sender, template }) => ({ ...by(sender.id, template.id), variables: {} }), 'content'],
  ['a time in the past', ({ sender, template }) => past(by(sender.id, template.id)), 'schedule'],
  [
    'a text that matches no template to an invalid number at a past time',
    ({ sender }) => ({ ...past({ sender_id: sender.id, message: 'Buy now' }), to: 'me' }),
    'template',
    'recipient',
    'schedule',
  ],
  [
    'an empty text from an unknown sender to an invalid number',
    () => ({ sender_id: 'NOBODY', message: ' ', to: 'me' }),
    'sender',
    'recipient',
    'content',
  ],
  [
    'an empty text from an inactive sender to another country',
    ({ inactiveSender }) => ({ sender_id: inactiveSender, message: ' ', to: ABROAD }),
    'sender',
    'recipient',
    'content',
  ],
  ['an empty text to an invalid number', () => ({ message: ' ', to: 'me' }), 'content', 'recipient'],
  [
    'an empty text from the sender of another country',
    ({ german }) => ({ sender_id: german, message: ' ' }),
    'content',
    'recipient',
  ],
  ['an unknown template from an unknown sender', () => by('NOBODY', 'nothing'), 'sender', 'template'],
  [
    'an unknown template from a sender without a DLT id',
    ({ senderWithoutDlt }) => by(senderWithoutDlt, 'nothing'),
    'template',
    'dlt',
  ],
  [
    'a missing variable from an unknown sender at a past time',
    ({ template }) => past({ ...by('NOBODY', template.id), variables: {} }),
    'sender',
    'content',
    'schedule',
  ],
  [
    'a missing variable of an inactive template to another country',
    ({ sender, inactiveTemplate }) => ({ ...by(sender.id, inactiveTemplate), variables: {}, to: ABROAD }),
    'template',
    'recipient',
    'content',
  ],
];

function by(sender_id: string, template_id: string): Fields {
  return { sender_id, template_id };
}

function past(body: Fields): Fields {
  return { ...body, scheduled_at: '2020-01-01T00:00:00Z' };
}

describe('POST /api/v1/sms/quote', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let world: World;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms } = v1);
    const { tenant } = v1;
    const { organizationId, onboarding } = tenant;
    const pending = await sms.onboarding(organizationId, { status: 'pending' });
    const germany = await sms.onboarding(organizationId, { country: 'DE', dltEntityId: null });
    world = {
      ...tenant,
      inactiveSender: (await sms.sender(organizationId, onboarding.id, { isActive: false })).id,
      unapprovedSender: (await sms.sender(organizationId, pending.id)).id,
      senderWithoutDlt: (await sms.sender(organizationId, onboarding.id, { dltSenderId: null })).id,
      german: (await sms.sender(organizationId, germany.id)).id,
      inactiveTemplate: (await sms.template(organizationId, onboarding.id, { isActive: false })).id,
      foreignTemplate: (await sms.template(organizationId, pending.id)).id,
      templateWithoutDlt: (
        await sms.template(organizationId, onboarding.id, { dltTemplateId: null, body: 'Bye {{x}}' })
      ).id,
    };
  });

  const storedRows = ({ organizationId, workspaceId }: SmsTenant) =>
    sms.database.query(
      `SELECT (SELECT count(*) FROM sms.messages WHERE organization_id = $1) AS messages,
         (SELECT count(*) FROM messaging.outbox
          WHERE payload ->> 'organizationId' = $1::text AND available_at > now() + interval '1 hour') AS events,
         (SELECT count(*) FROM credits.ledger WHERE workspace_id = $2) AS entries,
         (SELECT balance FROM credits.accounts WHERE workspace_id = $2 AND credit_type = 'sms') AS balance`,
      [organizationId, workspaceId],
    );

  /** Quotes and sends the same body, and expects the same outcome. */
  const agree = async (body: Fields, refusedBy: string[], key: string) => {
    const quote = await v1.post('/quote', body, key, { 'Idempotency-Key': 'quotes do not claim it' });
    const send = await v1.post('/send', body, key);
    const checks = quote.body['checks'] as Check[];
    const failed = checks.filter(({ result }) => result === 'failed');
    const isOk = refusedBy.length === 0;
    expect([quote.status, quote.body['verdict'], failed.map(({ name }) => name)]).toEqual([
      200,
      isOk ? 'ok' : 'refused',
      refusedBy,
    ]);
    expect([send.status, send.status === 202]).toEqual([send.status, isOk]);
    expect(checks.every(({ result }) => result === 'passed')).toBe(isOk);
    if (isOk) {
      const { segments, encoding, credits_cost, credits_remaining, scheduled_at } = send.body;
      expect(quote.body).toMatchObject({ segments, encoding, credits_cost, currency: null });
      expect(Number(quote.body['credits_available']) - Number(credits_cost)).toBe(credits_remaining);
      expect(quote.body['earliest_send_at']).toEqual(scheduled_at ?? expect.any(String));
    } else {
      expect(failed[0]?.message).toBe(`${String(send.body['code'])}: ${String(send.body['message'])}`);
      expect(quote.body['earliest_send_at']).toBeNull();
      expect(quote.body['credits_available']).toEqual(expect.any(Number));
    }
    return { quote, send, checks };
  };

  it.each(CASES)('returns the same result as a send of %s', async (_what, fields, ...refusedBy) => {
    const given = fields(world);
    const variables = given['template_id'] === undefined ? {} : { variables: { code: '42' } };
    const body = { to: sms.recipient(), ...variables, ...given };
    const before = await storedRows(world);
    const quote = await v1.post('/quote', body);
    expect(quote.status).toBe(200);
    expect(await storedRows(world)).toEqual(before);
    await agree(body, refusedBy, world.key);
  });

  it('returns the same result as a send with a key without permission, and the cost of the send', async () => {
    const scopes = ['sms:read' as const];
    const reader = await sms.tenants.key(world.organizationId, { scopes });
    const viewer = await sms.tenants.key(world.organizationId, { role: 'viewer' });
    for (const key of [reader, viewer]) {
      const body = {
        to: sms.recipient(),
        sender_id: world.sender.id,
        template_id: world.template.id,
        variables: { code: '1' },
      };
      const { quote, send } = await agree(body, ['permission'], key);
      expect([send.status, quote.body['credits_cost']]).toEqual([403, 1]);
    }
  });

  it('returns the same result as a send without credits or without an active workspace', async () => {
    const poor = await sms.tenant({ credits: 0 });
    const locked = await sms.tenant();
    await sms.database.query(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [locked.workspaceId]);
    for (const [own, check] of [
      [poor, 'credits'],
      [locked, 'workspace'],
    ] as const) {
      const body = { to: sms.recipient(), ...by(own.sender.id, own.template.id), variables: { code: '1' } };
      const { quote } = await agree(body, [check], own.key);
      expect(quote.body['credits_cost']).toBe(1);
    }
    const body = { to: sms.recipient(), ...by('NOBODY', poor.template.id), variables: { code: '1' } };
    const { quote } = await agree(body, ['sender', 'credits'], poor.key);
    expect(quote.body).toMatchObject({ segments: 1, credits_cost: 1, credits_available: 0 });
  });

  it('returns the same result as a send from an unknown sender and a workspace of another organization', async () => {
    const workspace_id = (await sms.tenant()).workspaceId;
    const body = { to: sms.recipient(), ...by('NOBODY', world.template.id), variables: { code: '1' }, workspace_id };
    const quote = await v1.post('/quote', body);
    const send = await v1.post('/send', body);
    const failed = (quote.body['checks'] as Check[]).filter(({ result }) => result === 'failed');
    expect(failed.map(({ name }) => name)).toEqual(['sender', 'workspace']);
    expect(failed[0]?.message).toBe(`${String(send.body['code'])}: ${String(send.body['message'])}`);
    expect(quote.body['credits_available']).toBeNull();
  });

  it('reports a check as passed only if it was executed', async () => {
    const resultsOf = async (body: Fields) => {
      const { body: quote } = await v1.post('/quote', { to: sms.recipient(), ...body });
      return Object.fromEntries((quote['checks'] as Check[]).map(({ name, result }) => [name, result]));
    };
    expect(await resultsOf({ message: 'x', to: 'me' })).toMatchObject({
      permission: 'passed',
      content: 'passed',
      recipient: 'failed',
      sender: 'not_run',
      template: 'not_run',
      dlt: 'not_run',
      schedule: 'passed',
      workspace: 'passed',
      limits: 'passed',
      consent: 'not_run',
      credits: 'not_run',
    });
    expect(await resultsOf({ ...by('NOBODY', world.template.id), variables: { code: '1' } })).toMatchObject({
      sender: 'failed',
      template: 'not_run',
      dlt: 'not_run',
      recipient: 'not_run',
      content: 'passed',
      schedule: 'passed',
      workspace: 'passed',
      limits: 'passed',
      consent: 'passed',
      credits: 'passed',
    });
    expect(await resultsOf(past({ sender_id: world.sender.id, message: 'Your code is 1' }))).toMatchObject({
      sender: 'passed',
      template: 'passed',
      dlt: 'passed',
      recipient: 'passed',
      content: 'passed',
      schedule: 'failed',
      workspace: 'passed',
      limits: 'passed',
      consent: 'passed',
      credits: 'passed',
    });
  });

  it('returns the same errors as a send for an invalid request', async () => {
    const workspace_id = v1.tenant.organizationId;
    for (const body of [
      { to: sms.recipient() },
      { to: 5 },
      { to: sms.recipient(), flash: 'x', message: 'x' },
      { to: sms.recipient(), ...by(world.sender.id, world.template.id), message: 'x' },
      { to: sms.recipient(), ...by(world.sender.id, world.template.id), variables: { code: '1' }, workspace_id },
    ]) {
      const quote = await v1.post('/quote', body);
      const send = await v1.post('/send', body);
      expect([quote.status, quote.body]).toEqual([send.status, send.body]);
      expect([400, 404]).toContain(quote.status);
    }
  });
});
