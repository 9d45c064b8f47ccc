import { hashKey } from '@heliograph/auth';
import { accountApi } from '@heliograph/account-api';
import { smsApi } from '@heliograph/sms-api';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { verifyPassword } from '@heliograph/users';
import { provision } from './provision';
import { ProvisioningError } from './provisioning-error';
import { emptyReport } from './report';

const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ01';
const FILE = `
organizations:
  - slug: acme
    name: Acme
    ipAllowlist: [10.0.0.0/8]
    users:
      - { email: Owner@Acme.example, name: Owner, password: correct horse battery staple, role: owner, totpSecret: JBSWY3DPEHPK3PXP }
      - { email: made@acme.example, name: Made }
    workspaces:
      - { slug: acme-first, credits: { sms: 10, email: 20 } }
      - { slug: acme-second, plan: pro, status: locked, billingCustomer: cus_2 }
    apiKeys:
      - { name: given, key: ${KEY}, scopes: ["sms:read"], role: viewer, workspace: acme-second, expiresAt: 2030-01-01T00:00:00Z }
      - { name: made }
    sms:
      onboardings: [{ name: india, country: IN, dltEntityId: "11" }]
      senders: [{ header: ACMEIN, onboarding: india, dltSenderId: "12" }]
      templates: [{ name: otp, onboarding: india, body: "{{code}}", dltTemplateId: "13", active: false }]
    email:
      domains:
        - { name: Acme.example, status: verified, expiresAt: 2030-01-01T00:00:00Z }
        - { name: new.example }
      senders:
        - { address: first@acme.example, name: First }
        - { address: Hello@ACME.example, name: Acme, main: true }
      templates: [{ slug: welcome, name: Welcome, subject: "Hi {{ name }}", html: "<p>{{ code }}</p>" }]
      suppressions: [{ address: Gone@elsewhere.example, reason: bounced }]
    chatapp:
      consents:
        - { number: "919811111111", status: opted_out }
        - { number: "+919811111112", status: opted_in, source: form, note: Signed at the counter }
    bots:
      - publicId: bot_acme
        name: Acme <b>Help</b>
        slug: acme-help
        workspace: acme-first
        settings: { branding: { color: "#0a7" }, mine: [1, null, { deep: true }] }
        version: { number: 2, tone: friendly }
        faqs:
          - { id: hours, question: "What are your opening hours?", answer: 9 to 5, label: Hours }
          - { id: winter, question: "Do you open in winter?", phrasings: ["Are you open when it snows?"], answer: "Yes", published: false }
        knowledge: [{ title: Returns, body: "Goods can be returned within 30 days." }]
        shortcuts: [{ id: returns, label: Returns, command: /Returns, type: knowledge_query, query: returns, displayOrder: 1 }]
        forms: [{ id: lead, title: Leave your details, trigger: { keywords: [demo] }, fields: [{ key: email, label: Email, type: email, required: true }] }]
      - { publicId: bot_draft, name: Draft, slug: draft, status: draft, workspace: acme-second }
unboundApiKeys: [{ name: stray }]
platform:
  sms: { rates: [{ country: DE, rate: 3 }] }
  chatapp:
    prices:
      - { country: IN, category: marketing, baseCost: 70, markup: 9, currency: INR }
      - { country: "*", category: service, baseCost: 5, markup: 1, currency: INR }
      - { country: IN, category: marketing, baseCost: 75, markup: 9, currency: INR, validFrom: 2100-01-01T00:00:00Z }
`;

let database: TestDatabase;
const apply = (yaml: string) => provision(database.url, yaml, 'f.yaml', 'tst');
const rows = <Row>(sql: string, values?: unknown[]): Promise<Row[]> => database.query<Row>(sql, values);

beforeEach(async () => {
  database = await createTestDatabase([...new Set([...smsApi.migrations, ...accountApi.migrations])]);
});
afterEach(() => database.drop());

/** Everything that a run writes, without what the clock says. */
async function everything(): Promise<unknown[]> {
  const ordered = ['tenancy.organizations', 'tenancy.workspaces', 'users.users', 'auth.api_keys'];
  const contents = [];
  for (const table of [
    ...ordered,
    'sms.onboardings',
    'sms.senders',
    'sms.templates',
    'email.domains',
    'email.senders',
    'email.templates',
    'chatapp.consents',
    'chatapp.prices',
    'bots.bots',
    'bots.versions',
    'bots.faqs',
    'bots.articles',
    'bots.shortcuts',
    'bots.forms',
    'credits.ledger',
    'messaging.outbox',
  ]) {
    contents.push(await rows(`SELECT * FROM ${table} ORDER BY id`));
  }
  return [
    ...contents,
    await rows('SELECT * FROM sms.rates'),
    await rows('SELECT * FROM email.suppressions'),
    await rows('SELECT * FROM users.members ORDER BY user_id'),
  ];
}

describe('provision', () => {
  it('makes what the file says', async () => {
    const report = await apply(FILE);
    expect(report.applied).toEqual([
      {
        organization: 'acme',
        users: 2,
        workspaces: 2,
        apiKeys: 2,
        smsEntries: 3,
        emailEntries: 6,
        consents: 2,
        bots: 2,
      },
    ]);
    expect(report.granted).toEqual([
      { workspace: 'acme-first', creditType: 'sms', amount: 10 },
      { workspace: 'acme-first', creditType: 'email', amount: 20 },
    ]);
    expect(await rows('SELECT slug, name, ip_allowlist FROM tenancy.organizations')).toEqual([
      { slug: 'acme', name: 'Acme', ip_allowlist: ['10.0.0.0/8'] },
    ]);
    // The oldest workspace of an organization is the first of the file.
    expect(
      await rows('SELECT slug, plan, status, billing_customer FROM tenancy.workspaces ORDER BY created_at, id'),
    ).toEqual([
      { slug: 'acme-first', plan: 'free', status: 'active', billing_customer: null },
      { slug: 'acme-second', plan: 'pro', status: 'locked', billing_customer: 'cus_2' },
    ]);
    const [given] = await rows(
      `SELECT k.scopes, k.role, w.slug, k.expires_at, k.revoked_at FROM auth.api_keys AS k
       JOIN tenancy.workspaces AS w ON w.id = k.workspace_id WHERE k.hash = $1`,
      [hashKey(KEY)],
    );
    expect(given).toEqual({
      scopes: ['sms:read'],
      role: 'viewer',
      slug: 'acme-second',
      expires_at: new Date('2030-01-01T00:00:00Z'),
      revoked_at: null,
    });
    expect(await rows('SELECT header, dlt_sender_id, is_active FROM sms.senders')).toEqual([
      { header: 'ACMEIN', dlt_sender_id: '12', is_active: true },
    ]);
    expect(await rows('SELECT name, body, dlt_template_id, is_active FROM sms.templates')).toEqual([
      { name: 'otp', body: '{{code}}', dlt_template_id: '13', is_active: false },
    ]);
    expect(await rows('SELECT * FROM sms.rates')).toEqual([{ country: 'DE', rate: 3 }]);
  });

  it('makes what an organization sends mail with', async () => {
    await apply(FILE);
    expect(await rows('SELECT name, status, verified_by, expires_at FROM email.domains ORDER BY name')).toEqual([
      {
        ...{ name: 'acme.example', status: 'verified', verified_by: 'operator' },
        expires_at: new Date('2030-01-01T00:00:00Z'),
      },
      { name: 'new.example', status: 'pending', verified_by: null, expires_at: null },
    ]);
    expect(await rows('SELECT address, name, is_main FROM email.senders ORDER BY address_key')).toEqual([
      { address: 'first@acme.example', name: 'First', is_main: false },
      { address: 'Hello@acme.example', name: 'Acme', is_main: true },
    ]);
    expect(await rows('SELECT slug, name, subject, html, text, variables FROM email.templates')).toEqual([
      {
        ...{ slug: 'welcome', name: 'Welcome', subject: 'Hi {{ name }}', html: '<p>{{ code }}</p>', text: null },
        variables: ['name', 'code'],
      },
    ]);
    expect(await rows('SELECT address_key, reason, message_id FROM email.suppressions')).toEqual([
      { address_key: 'gone@elsewhere.example', reason: 'bounced', message_id: null },
    ]);
  });

  it('updates what mail is sent with, and takes back neither a verification by DNS nor a complaint', async () => {
    await apply(FILE);
    await rows(`UPDATE email.domains SET status = 'verified', verified_by = 'dns' WHERE name = 'new.example'`);
    await rows(`UPDATE email.suppressions SET reason = 'complained'`);
    await apply(FILE);
    await apply(`
organizations:
  - slug: acme
    email:
      domains: [{ name: acme.example, status: failed }, { name: new.example }]
      senders: [{ address: first@acme.example, name: null, main: true }]
      templates: [{ slug: welcome, name: Hello, text: "{{ who }}" }]`);
    expect(await rows('SELECT name, status, verified_by, expires_at FROM email.domains ORDER BY name')).toEqual([
      { name: 'acme.example', status: 'failed', verified_by: null, expires_at: null },
      { name: 'new.example', status: 'verified', verified_by: 'dns', expires_at: null },
    ]);
    expect(await rows('SELECT address, name, is_main FROM email.senders ORDER BY address_key')).toEqual([
      { address: 'first@acme.example', name: null, is_main: true },
      { address: 'Hello@acme.example', name: 'Acme', is_main: false },
    ]);
    expect(await rows('SELECT name, subject, html, text, variables FROM email.templates')).toEqual([
      { name: 'Hello', subject: null, html: null, text: '{{ who }}', variables: ['who'] },
    ]);
    expect(await rows('SELECT reason FROM email.suppressions')).toEqual([{ reason: 'complained' }]);
  });

  it.each([
    ['a domain', 'domains: [{ name: acme }]', /email\.domains\[0\]: name: must be a domain name/],
    [
      'a sender on a domain of nobody',
      'senders: [{ address: a@nowhere.example }]',
      /email\.senders\[0\]: address: nowhere\.example is none of your domains/,
    ],
    [
      'a template',
      'templates: [{ slug: t, name: T, html: "{% if x %}" }]',
      /email\.templates\[0\]: html, line 1, column \d+: /,
    ],
    ['an empty template', 'templates: [{ slug: t, name: T }]', /email\.templates\[0\]: subject, html, text: at least/],
  ])('says which line has %s that cannot be', async (_what, entries, problem) => {
    await apply(FILE);
    const run = apply(`organizations:\n  - slug: other\n    email:\n      ${entries}`);
    await expect(run).rejects.toThrow(problem);
    await expect(run).rejects.toThrow(/^f\.yaml:4:\d+: organizations\[0\]/);
    expect(await rows(`SELECT 1 FROM tenancy.organizations WHERE slug = 'other'`)).toEqual([]);
  });

  it('records whom an organization may write to over chat-app, and tells of it', async () => {
    await apply(FILE);
    expect(await rows('SELECT number, status, source, note FROM chatapp.consents ORDER BY number')).toEqual([
      { number: '+919811111111', status: 'opted_out', source: 'provisioning', note: null },
      { number: '+919811111112', status: 'opted_in', source: 'form', note: 'Signed at the counter' },
    ]);
    expect(await rows(`SELECT 1 FROM messaging.outbox WHERE type = 'chatapp.consent.changed'`)).toHaveLength(2);
  });

  it('leaves an opt-out that somebody has made by a keyword since, and says so', async () => {
    await apply(FILE);
    await rows(
      `UPDATE chatapp.consents SET status = 'opted_out', source = 'keyword_stop' WHERE number = '+919811111112'`,
    );
    const { notes } = await apply(FILE);
    expect(notes).toEqual([
      expect.stringMatching(/organizations\[0\]\.chatapp\.consents\[1\]: \+919811111112 has opted out by a keyword/),
    ]);
    expect(await rows(`SELECT source FROM chatapp.consents WHERE number = '+919811111112'`)).toEqual([
      { source: 'keyword_stop' },
    ]);
  });

  it('sets prices that hold at once, and those to come', async () => {
    const countOfPrices = async () => (await rows('SELECT 1 FROM chatapp.prices')).length;
    const before = await countOfPrices();
    const { prices } = await apply(FILE);
    expect(prices).toBe(3);
    expect(
      await rows(
        `SELECT category, base_cost, markup, currency, valid_from FROM chatapp.prices WHERE country = 'IN'
         ORDER BY valid_from`,
      ),
    ).toEqual([
      { category: 'marketing', base_cost: 70, markup: 9, currency: 'INR', valid_from: new Date(0) },
      {
        ...{ category: 'marketing', base_cost: 75, markup: 9, currency: 'INR' },
        valid_from: new Date('2100-01-01T00:00:00Z'),
      },
    ]);
    // The one of every country is there from the first migration on.
    expect(
      await rows(`SELECT base_cost, markup FROM chatapp.prices WHERE country = '*' AND category = 'service'`),
    ).toEqual([{ base_cost: 5, markup: 1 }]);
    expect(await countOfPrices()).toBe(before + 2);
    await apply(
      'platform: { chatapp: { prices: [{ country: IN, category: marketing, baseCost: 1, markup: 0, currency: INR }] } }',
    );
    expect(await rows(`SELECT base_cost FROM chatapp.prices WHERE country = 'IN' ORDER BY valid_from`)).toEqual([
      { base_cost: 1 },
      { base_cost: 75 },
    ]);
    expect(await countOfPrices()).toBe(before + 2);
  });

  it('generates a key that is left out, once, and shows the one that works', async () => {
    const { generated } = await apply(FILE);
    expect(generated.map(({ organization, name }) => [organization, name])).toEqual([
      ['acme', 'made'],
      [null, 'stray'],
    ]);
    for (const { key } of generated) {
      expect(key).toMatch(/^tst_live_[0-9A-Za-z]{40}$/);
      expect(await rows('SELECT 1 FROM auth.api_keys WHERE hash = $1', [hashKey(key)])).toHaveLength(1);
    }
    expect((await apply(FILE)).generated).toEqual([]);
  });

  it('makes users who can log in with the password of the file, and generates one that is left out, once', async () => {
    const { passwords } = await apply(FILE);
    const users = await rows<{ email: string; role: string; password_hash: string; totp_secret: string | null }>(
      `SELECT u.email, m.role, u.password_hash, u.totp_secret FROM users.users AS u
       JOIN users.members AS m ON m.user_id = u.id ORDER BY u.email`,
    );
    expect(users.map(({ email, role, totp_secret }) => [email, role, totp_secret])).toEqual([
      ['made@acme.example', 'member', null],
      ['owner@acme.example', 'owner', 'JBSWY3DPEHPK3PXP'],
    ]);
    expect(passwords.map(({ email }) => email)).toEqual(['made@acme.example']);
    expect(await verifyPassword(users[0]!.password_hash, passwords[0]!.password)).toBe(true);
    expect(await verifyPassword(users[1]!.password_hash, 'correct horse battery staple')).toBe(true);
    expect((await apply(FILE)).passwords).toEqual([]);
  });

  it('leaves a password and a second factor that the file does not name, and puts a role right', async () => {
    await apply(FILE);
    const [before] = await rows<object>(`SELECT * FROM users.users WHERE email = 'owner@acme.example'`);
    await apply(`
organizations:
  - { slug: acme, users: [{ email: owner@acme.example, name: Owner, role: admin }] }
  - { slug: other, users: [{ email: owner@acme.example, name: Owner, role: viewer }] }`);
    expect((await rows<object>(`SELECT * FROM users.users WHERE email = 'owner@acme.example'`))[0]).toEqual(before);
    expect(
      await rows(`SELECT o.slug, m.role FROM users.members AS m JOIN tenancy.organizations AS o ON o.id = m.organization_id
                  JOIN users.users AS u ON u.id = m.user_id WHERE u.email = 'owner@acme.example' ORDER BY 1`),
    ).toEqual([
      { slug: 'acme', role: 'admin' },
      { slug: 'other', role: 'viewer' },
    ]);
  });

  it('says which line gives a billing customer that pays for another workspace', async () => {
    await apply(FILE);
    await expect(
      apply('organizations:\n  - { slug: other, workspaces: [{ slug: other-main, billingCustomer: cus_2 }] }'),
    ).rejects.toThrow(/^f\.yaml:2:\d+: .*pays for another workspace/);
  });

  it('changes nothing the second time', async () => {
    await apply(FILE);
    const before = await everything();
    const report = await apply(FILE);
    expect(report.granted).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('updates what is there and deletes nothing', async () => {
    await apply(FILE);
    await rows(`UPDATE tenancy.workspaces SET status = 'locked', plan = 'paid' WHERE slug = 'acme-first'`);
    await apply(`
organizations:
  - slug: acme
    workspaces: [{ slug: acme-first, displayName: Renamed, credits: { sms: 99, chatapp: 5 } }]
    apiKeys: [{ name: given, revoked: true }]
    sms: { senders: [{ header: ACMEIN, onboarding: india, active: false }] }`);
    expect(await rows('SELECT name FROM tenancy.organizations')).toEqual([{ name: 'Acme' }]);
    // What billing decided stays, because the file does not say otherwise.
    expect(await rows(`SELECT display_name, status, plan FROM tenancy.workspaces WHERE slug = 'acme-first'`)).toEqual([
      { display_name: 'Renamed', status: 'locked', plan: 'paid' },
    ]);
    expect(await rows('SELECT credit_type, balance FROM credits.accounts ORDER BY 1')).toEqual([
      { credit_type: 'chatapp', balance: '5' },
      { credit_type: 'email', balance: '20' },
      { credit_type: 'sms', balance: '10' },
    ]);
    const [revoked] = await rows<{ gone: boolean }>(
      'SELECT revoked_at IS NOT NULL AS gone FROM auth.api_keys WHERE hash = $1',
      [hashKey(KEY)],
    );
    expect(revoked).toEqual({ gone: true });
    expect(await rows('SELECT is_active FROM sms.senders')).toEqual([{ is_active: false }]);
    expect(await rows('SELECT 1 FROM sms.templates')).toHaveLength(1);
  });

  it('gives the same from many runs at once', async () => {
    const reports = await Promise.all(Array.from({ length: 5 }, () => apply(FILE)));
    expect(reports.flatMap(({ generated }) => generated)).toHaveLength(2);
    expect(reports.flatMap(({ granted }) => granted)).toHaveLength(2);
    expect(await rows('SELECT name FROM auth.api_keys ORDER BY 1')).toEqual([
      { name: 'given' },
      { name: 'made' },
      { name: 'stray' },
    ]);
  });

  it('says where a reference to nothing is, before it writes anything', async () => {
    const file = `
organizations:
  - slug: fine-org
  - slug: acme
    workspaces: [{ slug: acme-first }]
    apiKeys:
      - { name: k, workspace: elsewhere }
    sms:
      templates: [{ name: otp, onboarding: nowhere, body: x }]`;
    await expect(apply(file)).rejects.toThrow(
      new ProvisioningError([
        'f.yaml:7:31: organizations[1].apiKeys[0].workspace: acme has no workspace "elsewhere"',
        'f.yaml:9:44: organizations[1].sms.templates[0].onboarding: acme has no onboarding "nowhere"',
      ]),
    );
    expect(await rows('SELECT 1 FROM tenancy.organizations')).toEqual([]);
  });

  it('writes an organization as a whole or not at all, and keeps the keys of those before', async () => {
    const report = emptyReport();
    const file = `
organizations:
  - { slug: first-org, apiKeys: [{ name: made }, { name: taken, key: ${KEY} }] }
  - slug: second-org
    workspaces: [{ slug: second-main, credits: { sms: 1 } }]
    apiKeys: [{ name: other }]
unboundApiKeys: [{ name: stray }]`;
    await apply(`organizations: [{ slug: third-org, workspaces: [{ slug: second-main }] }]`);
    await expect(provision(database.url, file, 'f.yaml', 'tst', report)).rejects.toThrow(
      'f.yaml:5:18: organizations[1].workspaces[0]: workspace second-main belongs to another organization; choose another slug',
    );
    expect(report.generated.map(({ name }) => name)).toEqual(['made']);
    expect(await rows('SELECT slug FROM tenancy.organizations ORDER BY 1')).toEqual([
      { slug: 'first-org' },
      { slug: 'third-org' },
    ]);
    await expect(apply(`unboundApiKeys:\n  - { name: thief, key: ${KEY} }`)).rejects.toThrow(
      /^f\.yaml:2:5: .*belongs to another key/,
    );
  });
});

it('says that a database has not been migrated', async () => {
  const empty = await createTestDatabase([]);
  try {
    await expect(provision(empty.url, FILE, 'f.yaml', 'tst')).rejects.toThrow(/migrat/);
  } finally {
    await empty.drop();
  }
});
