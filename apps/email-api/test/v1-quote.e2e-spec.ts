import type { EmailFixture, EmailTenant } from './email-fixture';
import { SCHEDULED, V1Calls, type Fields } from './v1-calls';

interface Check {
  name: string;
  result: string;
  message: string | null;
}

/** A tenant with the objects that the cases need. */
interface World extends EmailTenant {
  template: string;
  withoutSubject: string;
  unverified: string;
}

/** A send and the names of its failed checks; an accepted send has none. */
type Case = [what: string, body: (world: World) => Fields, ...refusedBy: string[]];

const TEXT = { subject: 'Hi', text: 'Hi' };
const NAME = { variables: { name: 'Ann' } };

const CASES: Case[] = [
  ['a text email', () => TEXT],
  [
    'an html email with attachments, headers and tags',
    () => ({
      subject: 'Hi',
      html: '<p>Hi</p>',
      tags: ['a'],
      headers: { 'X-A': 'b' },
      reply_to: 'ann@example.com',
      attachments: [{ filename: 'a.txt', content: 'YQ==' }],
    }),
  ],
  ['a scheduled email', () => ({ ...TEXT, scheduled_at: SCHEDULED })],
  ['a template', ({ template }) => ({ template_id: template, ...NAME })],
  [
    'a template with another subject',
    ({ withoutSubject }) => ({ template_id: withoutSubject, subject: 'Hi', ...NAME }),
  ],
  ['an unknown template', () => ({ template_id: 'nothing' }), 'template'],
  ['a missing variable', ({ template }) => ({ template_id: template, variables: {} }), 'content'],
  [
    'a line break in the subject',
    ({ template }) => ({ template_id: template, variables: { name: 'a\r\nb' } }),
    'content',
  ],
  ['a template without a subject', ({ withoutSubject }) => ({ template_id: withoutSubject, ...NAME }), 'content'],
  ['an email without a subject', () => ({ text: 'Hi' }), 'content'],
  ['an email without a body', () => ({ subject: 'Hi' }), 'content'],
  ['an unknown sender', () => ({ ...TEXT, from: 'nobody@nowhere.example' }), 'sender'],
  ['a domain that is not verified', ({ unverified }) => ({ ...TEXT, from: unverified }), 'sender'],
  ['a time in the past', () => ({ ...TEXT, scheduled_at: '2020-01-01T00:00:00Z' }), 'schedule'],
  [
    'a request with several errors',
    () => ({ scheduled_at: '2020-01-01T00:00:00Z', from: 'nobody@nowhere.example' }),
    'content',
    'schedule',
    'sender',
  ],
  [
    'an unknown template from an unknown sender at a past time',
    () => ({ template_id: 'nothing', scheduled_at: '2020-01-01T00:00:00Z', from: 'nobody@nowhere.example' }),
    'template',
    'schedule',
    'sender',
  ],
  [
    'a missing variable from a domain that is not verified',
    ({ template, unverified }) => ({ template_id: template, variables: {}, from: unverified }),
    'content',
    'sender',
  ],
];

describe('POST /api/v1/email/quote', () => {
  let v1: V1Calls;
  let email: EmailFixture;
  let world: World;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ email } = v1);
    const { tenant } = v1;
    const { organizationId } = tenant;
    const name = `pending-${tenant.domain}`;
    await email.catalog.putDomain(email.tenants.dataSource.manager, organizationId, {
      name,
      status: 'pending',
      expiresAt: null,
    });
    await email.catalog.putSender(email.tenants.dataSource.manager, organizationId, {
      address: `hello@${name}`,
      name: 'Acme',
      isMain: false,
    });
    world = {
      ...tenant,
      template: (await email.template(organizationId)).slug,
      withoutSubject: (await email.template(organizationId, { subject: '' })).slug,
      unverified: `hello@${name}`,
    };
  });

  const suppressed = async () => {
    const address = email.recipient();
    await email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [world.organizationId, address],
    );
    return address;
  };
  const storedRows = ({ organizationId, workspaceId }: EmailTenant) =>
    email.rows(
      `SELECT (SELECT count(*) FROM email.messages WHERE organization_id = $1) AS messages,
         (SELECT count(*) FROM messaging.outbox
          WHERE payload ->> 'organizationId' = $1::text AND available_at > now() + interval '1 hour') AS events,
         (SELECT count(*) FROM credits.ledger WHERE workspace_id = $2 AND kind = 'charge') AS entries`,
      [organizationId, workspaceId],
    );

  /** Quotes and sends the same body, and expects the same outcome. */
  const agree = async (body: Fields, refusedBy: string[], key: string) => {
    const before = await storedRows(world);
    const quote = await v1.post('/quote', body, key, { 'Idempotency-Key': 'quotes do not claim it' });
    expect(await storedRows(world)).toEqual(before);
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
      const { credits_cost, credits_remaining, scheduled_at } = send.body;
      expect(quote.body).toMatchObject({ credits_cost, segments: null, encoding: null, currency: null });
      expect(Number(quote.body['credits_available']) - Number(credits_cost)).toBe(credits_remaining);
      expect(quote.body['earliest_send_at']).toEqual(scheduled_at ?? expect.any(String));
    } else {
      expect(failed[0]?.message).toBe(`${String(send.body['code'])}: ${String(send.body['message'])}`);
      expect(quote.body['earliest_send_at']).toBeNull();
      expect(quote.body['credits_available']).toEqual(expect.any(Number));
    }
    return { quote, send };
  };

  it.each(CASES)('returns the same result as a send of %s', async (_what, fields, ...refusedBy) => {
    const to = [email.recipient(), email.recipient(), await suppressed()];
    const { quote } = await agree({ to: [...to, to[0]], ...fields(world) }, refusedBy, world.key);
    // The suppressed recipient costs nothing. Without its template, the unsubscribe scope of an email is unknown.
    expect(quote.body['credits_cost']).toBe(refusedBy.includes('template') ? null : 2);
  });

  it('returns the same result as a send to suppressed recipients only, which costs nothing', async () => {
    const { quote, send } = await agree({ to: await suppressed(), ...TEXT }, [], world.key);
    expect([quote.body['credits_cost'], send.body['status']]).toEqual([0, 'skipped']);
  });

  it('returns the same result as a send with a key without permission, and the cost of the send', async () => {
    const reader = await email.tenants.key(world.organizationId, { scopes: ['email:read'] });
    const viewer = await email.tenants.key(world.organizationId, { role: 'viewer' });
    for (const key of [reader, viewer]) {
      const { quote, send } = await agree({ to: email.recipient(), ...TEXT }, ['permission'], key);
      expect([send.status, quote.body['credits_cost']]).toEqual([403, 1]);
    }
  });

  it('returns the same result as a send without sufficient credits or without an active workspace', async () => {
    const poor = await email.tenant({ credits: 1 });
    const locked = await email.tenant();
    await email.rows(`UPDATE tenancy.workspaces SET status = 'locked' WHERE id = $1`, [locked.workspaceId]);
    for (const [own, check] of [
      [poor, 'credits'],
      [locked, 'workspace'],
    ] as const) {
      const body = { to: [email.recipient(), email.recipient()], ...TEXT };
      const { quote } = await agree(body, [check], own.key);
      if (check === 'credits') expect(quote.body['credits_available']).toBe(1);
      expect(quote.body['credits_cost']).toBe(2);
    }
    const body = { to: [email.recipient(), email.recipient()], text: 'Hi', from: 'nobody@nowhere.example' };
    const { quote } = await agree(body, ['content', 'sender', 'credits'], poor.key);
    expect(quote.body).toMatchObject({ credits_cost: 2, credits_available: 1 });
  });

  it('returns the same errors as a send for an invalid request', async () => {
    const to = email.recipient();
    for (const body of [
      TEXT,
      { to: 5, ...TEXT },
      { to: 'nobody', ...TEXT },
      { to, ...TEXT, tags: 'a' },
      { to, ...TEXT, workspace_id: world.organizationId },
    ]) {
      const quote = await v1.post('/quote', body);
      const send = await v1.post('/send', body);
      expect([quote.status, quote.body]).toEqual([send.status, send.body]);
      expect([400, 404]).toContain(quote.status);
    }
  });
});
