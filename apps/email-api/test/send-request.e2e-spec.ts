import { call, send, sendOk } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const LATER = '2099-01-01T00:00:00Z';

describe('a send request', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
    await email.template(tenant.organizationId, { slug: 'welcome' });
    await email.template(tenant.organizationId, { slug: 'no-subject', subject: null, text: null });
    await email.template(tenant.organizationId, { slug: 'no-body' });
    await email.rows('UPDATE email.templates SET html = NULL, text = NULL WHERE slug = $1', ['no-body']);
  });

  const fields = (changes: object = {}): Record<string, unknown> => ({
    to: email.recipient(),
    subject: 'Hi',
    text: 'Hi',
    ...changes,
  });
  const refusalOf = async (body: unknown): Promise<[number, unknown]> => {
    const before = await email.balance(tenant.workspaceId);
    const answer = await send(email, tenant.key, body);
    expect(Object.keys(answer.body)).toEqual(['code', 'message']);
    expect(await email.balance(tenant.workspaceId)).toBe(before);
    return [answer.status, answer.body['code']];
  };

  it.each([
    ['empty', ''],
    ['not JSON', '{"to":'],
    ['an array', '[]'],
    ['a JSON string', '"hello"'],
    ['null', 'null'],
  ])('is INVALID_REQUEST if the body is %s', async (_what, body) => {
    expect(await refusalOf(body)).toEqual([400, 'INVALID_REQUEST']);
  });

  it.each([
    ['missing', undefined],
    ['null', null],
    ['empty', ''],
    ['an empty array', []],
  ])('is NO_RECIPIENTS if to is %s', async (_what, to) => {
    expect(await refusalOf(fields({ to }))).toEqual([400, 'NO_RECIPIENTS']);
  });

  it.each([
    ['a number', 1],
    ['an object', { email: 'ann@example.com' }],
    ['a word', 'ann'],
    ['a name with an address', 'Ann <ann@example.com>'],
    ['two addresses in one text', 'ann@example.com, bob@example.com'],
    ['an address with a line break', 'ann@example.com\r\nBcc: bob@example.com'],
    ['an address with NUL', 'ann\0@example.com'],
    ['a local part that is not ASCII', 'jörg@example.com'],
    [
      'an address that is too long',
      `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(10)}.example`,
    ],
    ['an array with an invalid address', ['ann@example.com', 'bob']],
    ['an array with a number', ['ann@example.com', 1]],
    ['a nested array', [['ann@example.com']]],
    ['an address with an unpaired surrogate', 'a\ud800@example.com'],
  ])('is INVALID_RECIPIENT if to is %s', async (_what, to) => {
    expect(await refusalOf(fields({ to }))).toEqual([400, 'INVALID_RECIPIENT']);
  });

  it('accepts at most 1,000 unique recipients', async () => {
    const thousand = Array.from({ length: 1_000 }, (_, i) => `many-${i}@example.com`);
    expect(await refusalOf(fields({ to: [...thousand, 'one-more@example.com'] }))).toEqual([400, 'INVALID_RECIPIENT']);
    const repeated = [...thousand, 'Many-0@Example.com'];
    const answer = await sendOk(email, tenant.key, fields({ to: repeated, scheduledAt: LATER }));
    expect(answer.recipientCount).toBe(1_000);
    await call(email, `/email/cancel?id=${answer.id}`, { method: 'POST', key: tenant.key });
  });

  it('converts an internationalized domain to A-labels', async () => {
    const { results } = await sendOk(email, tenant.key, fields({ to: 'ann@exämple.example' }));
    expect(results[0]?.to).toBe('ann@xn--exmple-cua.example');
  });

  it.each([
    ['from', 1],
    ['from', 'no address'],
    ['from', 'Acme <hello@acme.example>'],
    ['fromName', 1],
    ['fromName', 'Acme\r\nBcc: bob@example.com'],
    ['subject', 1],
    ['subject', 'Hi\nBcc: bob@example.com'],
    ['subject', 'Hi\r'],
    ['subject', 'a\0b'],
    ['html', 1],
    ['html', '\ud800'],
    ['text', {}],
    ['variables', []],
    ['variables', 'name=Ann'],
    ['tracking', true],
    ['tracking', { opens: 'false' }],
  ])('is INVALID_REQUEST if %s is %j', async (field, value) => {
    expect(await refusalOf(fields({ [field]: value }))).toEqual([400, 'INVALID_REQUEST']);
  });

  it.each([1, '', 'tomorrow', '2026-11-20', '2099-01-01T00:00:00', '2099-13-01T00:00:00Z', '2001-01-01T00:00:00Z'])(
    'is INVALID_SEND_TIME if scheduledAt is %j',
    async (scheduledAt) => {
      expect(await refusalOf(fields({ scheduledAt }))).toEqual([400, 'INVALID_SEND_TIME']);
    },
  );

  it.each([1, '', 'nobody-s', { id: 1 }, '018f0000-0000-7000-8000-000000000000'])(
    'is INVALID_TEMPLATE if template is %j',
    async (template) => {
      expect(await refusalOf({ to: email.recipient(), template })).toEqual([400, 'INVALID_TEMPLATE']);
    },
  );

  it('cannot use the template of another organization', async () => {
    const other = await email.tenant();
    const { id } = await email.template(other.organizationId, { slug: 'theirs' });
    for (const template of [id, 'theirs']) {
      expect(await refusalOf({ to: email.recipient(), template })).toEqual([400, 'INVALID_TEMPLATE']);
    }
  });

  it('requires a subject of its own or of the template', async () => {
    expect(await refusalOf({ to: email.recipient(), text: 'Hi' })).toEqual([400, 'SUBJECT_REQUIRED']);
    expect(await refusalOf(fields({ subject: '' }))).toEqual([400, 'SUBJECT_REQUIRED']);
    const noSubject = { to: email.recipient(), template: 'no-subject', variables: { name: 'Ann' } };
    expect(await refusalOf(noSubject)).toEqual([400, 'SUBJECT_REQUIRED']);
  });

  it('requires a body of its own or of the template', async () => {
    expect(await refusalOf({ to: email.recipient(), subject: 'Hi' })).toEqual([400, 'BODY_REQUIRED']);
    expect(await refusalOf(fields({ text: '', html: '' }))).toEqual([400, 'BODY_REQUIRED']);
    const noBody = { to: email.recipient(), template: 'no-body', variables: { name: 'Ann' } };
    expect(await refusalOf(noBody)).toEqual([400, 'BODY_REQUIRED']);
  });

  it('returns the missing variables', async () => {
    const answer = await send(email, tenant.key, { to: email.recipient(), template: 'welcome', variables: {} });
    expect([answer.status, answer.body['code']]).toEqual([400, 'MISSING_VARIABLES']);
    expect(answer.body['message']).toContain('name');
  });

  it('renders a template by slug or id and escapes values only in html', async () => {
    const { id } = await email.template(tenant.organizationId, { slug: 'escape' });
    for (const template of [id, 'escape']) {
      const to = email.recipient();
      await sendOk(email, tenant.key, {
        to,
        template,
        variables: { name: '<b>Tom & Co</b>' },
        tracking: { opens: false, clicks: false },
      });
      const [mail] = await email.mailbox.messagesTo(to);
      expect(mail).toMatchObject({ subject: 'Hi <b>Tom & Co</b>' });
      expect(mail?.html?.trim()).toBe('<p>Hi &lt;b&gt;Tom &amp; Co&lt;/b&gt;</p>');
      expect(mail?.text?.trim()).toBe('Hi <b>Tom & Co</b>');
    }
  });

  it('overrides parts of its template, whose variables are then not required', async () => {
    const to = email.recipient();
    await email.template(tenant.organizationId, { slug: 'parts', subject: 'For {{ whom }}', text: null });
    const own = { to, template: 'parts', subject: 'My own', text: 'My own text', variables: { name: 'Ann' } };
    await sendOk(email, tenant.key, { ...own, tracking: { opens: false, clicks: false } });
    const [mail] = await email.mailbox.messagesTo(to);
    expect([mail?.subject, mail?.text?.trim(), mail?.html?.trim()]).toEqual(['My own', 'My own text', '<p>Hi Ann</p>']);
  });

  it('rejects a variable that adds a line break to the subject', async () => {
    const variables = { name: 'Ann\r\nBcc: bob@example.com' };
    expect(await refusalOf({ to: email.recipient(), template: 'welcome', variables })).toEqual([
      400,
      'INVALID_REQUEST',
    ]);
  });

  it('does not render tags in an inline body', async () => {
    const to = email.recipient();
    await sendOk(email, tenant.key, { to, subject: 'Hi {{ name }}', text: '{% if x %}{{ name }}', variables: {} });
    const [mail] = await email.mailbox.messagesTo(to);
    expect([mail?.subject, mail?.text?.trim()]).toEqual(['Hi {{ name }}', '{% if x %}{{ name }}']);
  });

  it('uses a registered sender, in any case, or the main sender', async () => {
    expect(await refusalOf(fields({ from: `nobody@${tenant.domain}` }))).toEqual([409, 'SENDER_NOT_VERIFIED']);
    expect(await refusalOf(fields({ from: 'hello@elsewhere.example' }))).toEqual([409, 'SENDER_NOT_VERIFIED']);
    expect((await sendOk(email, tenant.key, fields({ from: tenant.from.toUpperCase() }))).from).toBe(tenant.from);
    expect((await sendOk(email, tenant.key, fields())).from).toBe(tenant.from);
    const empty = await email.tenants.organization();
    const key = await email.tenants.key(empty.id);
    expect((await send(email, key, fields())).body['code']).toBe('SENDER_NOT_VERIFIED');
  });

  it('is DOMAIN_NOT_VERIFIED if the domain of the sender is not verified or no longer verified', async () => {
    const { organizationId, domain, key } = await email.tenant();
    const past = { name: domain, status: 'verified' as const, expiresAt: new Date(Date.now() - 1_000) };
    await email.catalog.putDomain(email.tenants.dataSource.manager, organizationId, past);
    const stale = await untilCode(() => send(email, key, fields()), 'DOMAIN_NOT_VERIFIED');
    expect(stale.status).toBe(409);
    await email.catalog.putDomain(email.tenants.dataSource.manager, organizationId, {
      name: domain,
      status: 'verified',
      expiresAt: null,
    });
    await untilCode(() => send(email, key, fields()), undefined);
    await email.catalog.putDomain(email.tenants.dataSource.manager, organizationId, {
      name: domain,
      status: 'failed',
      expiresAt: null,
    });
    await untilCode(() => send(email, key, fields()), 'DOMAIN_NOT_VERIFIED');
  });

  it('is NO_WORKSPACE without an active workspace, and INSUFFICIENT_CREDITS without one credit per recipient', async () => {
    const locked = await email.tenant();
    await email.rows('UPDATE tenancy.workspaces SET status = $1 WHERE id = $2', ['locked', locked.workspaceId]);
    const refused = await send(email, locked.key, fields());
    expect([refused.status, refused.body['code']]).toEqual([409, 'NO_WORKSPACE']);

    const poor = await email.tenant({ credits: 2 });
    const three = [email.recipient(), email.recipient(), email.recipient()];
    const unaffordable = await send(email, poor.key, fields({ to: three }));
    expect([unaffordable.status, unaffordable.body['code']]).toEqual([402, 'INSUFFICIENT_CREDITS']);
    expect(await email.balance(poor.workspaceId)).toBe(2);
    await sendOk(email, poor.key, fields({ to: three.slice(1) }));
    expect(await email.balance(poor.workspaceId)).toBe(0);
  });

  it('is checked for invalid input before state, and for state before credits', async () => {
    const poor = await email.tenant({ credits: 0 });
    const body: Record<string, unknown> = { ...fields(), from: `nobody@${poor.domain}`, scheduledAt: 'never' };
    const codes: unknown[] = [];
    for (const correct of [
      () => undefined,
      () => (body['scheduledAt'] = null),
      () => (body['from'] = null),
      () => email.tenants.topUp({ id: poor.workspaceId, organizationId: poor.organizationId }, 'email', 1),
    ]) {
      await correct();
      codes.push((await send(email, poor.key, body)).body['code']);
    }
    expect(codes).toEqual(['INVALID_SEND_TIME', 'SENDER_NOT_VERIFIED', 'INSUFFICIENT_CREDITS', undefined]);
  });

  it('accepts at most 10 MB', async () => {
    const to = email.recipient();
    const html = `<p>${'x'.repeat(9_900_000)}</p>`;
    expect((await send(email, tenant.key, { to, subject: 'Large', html })).status).toBe(200);
    const larger = await send(email, tenant.key, { to, subject: 'Large', html: html + 'x'.repeat(200_000) });
    expect([larger.status, larger.body['code']]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

/** Caches are updated within a second. */
async function untilCode<T extends { body: Record<string, unknown> }>(
  ask: () => Promise<T>,
  code: string | undefined,
): Promise<T> {
  const deadline = Date.now() + 10_000;
  let answer = await ask();
  while (answer.body['code'] !== code && Date.now() < deadline) answer = await ask();
  expect(answer.body['code']).toBe(code);
  return answer;
}
