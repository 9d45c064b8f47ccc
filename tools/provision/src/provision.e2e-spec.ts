import { localKeyRing } from '@heliograph/secrets';
import { TOTP_SECRET } from '@heliograph/users';
import { hashToken } from '@heliograph/secrets';
import { createTestDatabase } from '@heliograph/testing';
import { verifyPassword } from '@heliograph/users';
import { loadSecretKeys, provision } from './provision';
import { FILE, KEY, useProvisioning } from './provision.fixture';
import { ProvisioningError } from './provisioning-error';
import { emptyReport } from './report';

const test = useProvisioning();
const { apply, rows } = test;

/** Returns all rows that a run writes, without timestamps of the run. */
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
    'contacts.groups',
    'contacts.contacts',
    'contacts.consents',
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

describe('provisioning', () => {
  it('creates the entries of the file', async () => {
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
        groups: 1,
        contacts: 2,
      },
    ]);
    expect(report.granted).toEqual([
      { workspace: 'acme-first', creditType: 'sms', amount: 10 },
      { workspace: 'acme-first', creditType: 'email', amount: 20 },
    ]);
    expect(await rows('SELECT slug, name, ip_allowlist FROM tenancy.organizations')).toEqual([
      { slug: 'acme', name: 'Acme', ip_allowlist: ['10.0.0.0/8'] },
    ]);
    expect(
      await rows(
        'SELECT email, phone, first_name, attributes, consent_sms, source FROM contacts.contacts ORDER BY phone',
      ),
    ).toEqual([
      {
        email: 'Ann@elsewhere.example',
        phone: '+919811111112',
        first_name: 'Ann',
        attributes: { plan: 'pro' },
        consent_sms: 'opted_in',
        source: 'provisioning',
      },
      {
        email: null,
        phone: '+919811111113',
        first_name: null,
        attributes: {},
        consent_sms: 'unknown',
        source: 'provisioning',
      },
    ]);
    expect(await rows('SELECT count(*)::int AS members FROM contacts.memberships')).toEqual([{ members: 1 }]);
    // The oldest workspace of an organization is the first workspace in the file.
    expect(
      await rows('SELECT slug, plan, status, billing_customer FROM tenancy.workspaces ORDER BY created_at, id'),
    ).toEqual([
      { slug: 'acme-first', plan: 'free', status: 'active', billing_customer: null },
      { slug: 'acme-second', plan: 'pro', status: 'locked', billing_customer: 'cus_2' },
    ]);
    const [given] = await rows(
      `SELECT k.scopes, k.role, w.slug, k.expires_at, k.revoked_at FROM auth.api_keys AS k
       JOIN tenancy.workspaces AS w ON w.id = k.workspace_id WHERE k.hash = $1`,
      [hashToken(KEY)],
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

  it('generates an omitted API key once and prints it', async () => {
    const { generated } = await apply(FILE);
    expect(generated.map(({ organization, name }) => [organization, name])).toEqual([
      ['acme', 'made'],
      [null, 'stray'],
    ]);
    for (const { key } of generated) {
      expect(key).toMatch(/^tst_live_[0-9A-Za-z]{40}$/);
      expect(await rows('SELECT 1 FROM auth.api_keys WHERE hash = $1', [hashToken(key)])).toHaveLength(1);
    }
    expect((await apply(FILE)).generated).toEqual([]);
  });

  it('creates users with the given password, or generates a password once', async () => {
    const { passwords } = await apply(FILE);
    const users = await rows<{
      id: string;
      email: string;
      role: string;
      password_hash: string;
      totp_secret: string | null;
    }>(
      `SELECT u.email, m.role, u.id, u.password_hash, u.totp_secret FROM users.users AS u
       JOIN users.members AS m ON m.user_id = u.id ORDER BY u.email`,
    );
    expect(
      users.map(({ email, role, id, totp_secret }) => [
        email,
        role,
        totp_secret && TOTP_SECRET.open(localKeyRing(), id, totp_secret),
      ]),
    ).toEqual([
      ['made@acme.example', 'member', null],
      ['owner@acme.example', 'owner', 'JBSWY3DPEHPK3PXP'],
    ]);
    expect(passwords.map(({ email }) => email)).toEqual(['made@acme.example']);
    expect(await verifyPassword(users[0]!.password_hash, passwords[0]!.password)).toBe(true);
    expect(await verifyPassword(users[1]!.password_hash, 'correct horse battery staple')).toBe(true);
    expect((await apply(FILE)).passwords).toEqual([]);
  });

  it('keeps an omitted password and second factor, and updates the role', async () => {
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

  it('names the line of a billing customer of another workspace', async () => {
    await apply(FILE);
    await expect(
      apply('organizations:\n  - { slug: other, workspaces: [{ slug: other-main, billingCustomer: cus_2 }] }'),
    ).rejects.toThrow(/^f\.yaml:2:\d+: .*pays for another workspace/);
  });

  it('changes nothing in a second run', async () => {
    await apply(FILE);
    const before = await everything();
    const report = await apply(FILE);
    expect(report.granted).toEqual([]);
    expect(await everything()).toEqual(before);
  });

  it('updates existing entries and deletes nothing', async () => {
    await apply(FILE);
    await rows(`UPDATE tenancy.workspaces SET status = 'locked', plan = 'paid' WHERE slug = 'acme-first'`);
    await apply(`
organizations:
  - slug: acme
    workspaces: [{ slug: acme-first, displayName: Renamed, credits: { sms: 99, chatapp: 5 } }]
    apiKeys: [{ name: given, revoked: true }]
    sms: { senders: [{ header: ACMEIN, onboarding: india, active: false }] }`);
    expect(await rows('SELECT name FROM tenancy.organizations')).toEqual([{ name: 'Acme' }]);
    // The status and plan that were set by billing remain, because the file does not contain them.
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
      [hashToken(KEY)],
    );
    expect(revoked).toEqual({ gone: true });
    expect(await rows('SELECT is_active FROM sms.senders')).toEqual([{ is_active: false }]);
    expect(await rows('SELECT 1 FROM sms.templates')).toHaveLength(1);
  });

  it('gives the same result for concurrent runs', async () => {
    const reports = await Promise.all(Array.from({ length: 5 }, () => apply(FILE)));
    expect(reports.flatMap(({ generated }) => generated)).toHaveLength(2);
    expect(reports.flatMap(({ granted }) => granted)).toHaveLength(2);
    expect(await rows('SELECT name FROM auth.api_keys ORDER BY 1')).toEqual([
      { name: 'given' },
      { name: 'made' },
      { name: 'stray' },
    ]);
  });

  it('names the position of a dangling reference before it writes anything', async () => {
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

  it('writes an organization completely or not at all, and reports the keys of earlier organizations', async () => {
    const report = emptyReport();
    const keys = loadSecretKeys({ isLocalStack: true });
    const file = `
organizations:
  - { slug: first-org, apiKeys: [{ name: made }, { name: taken, key: ${KEY} }] }
  - slug: second-org
    workspaces: [{ slug: second-main, credits: { sms: 1 } }]
    apiKeys: [{ name: other }]
unboundApiKeys: [{ name: stray }]`;
    await apply(`organizations: [{ slug: third-org, workspaces: [{ slug: second-main }] }]`);
    await expect(provision(test.database.url, file, 'f.yaml', 'tst', keys, report)).rejects.toThrow(
      'f.yaml:5:18: organizations[1].workspaces[0]: workspace second-main belongs to another organization; choose another slug',
    );
    expect(report.generated.map(({ name }) => name)).toEqual(['made']);
    expect(await rows('SELECT slug FROM tenancy.organizations ORDER BY 1')).toEqual([
      { slug: 'first-org' },
      { slug: 'third-org' },
    ]);
    await expect(apply(`unboundApiKeys:\n  - { name: thief, key: ${KEY} }`)).rejects.toThrow(
      /^f\.yaml:2:5: .*already used by another API key/,
    );
  });
});

it('provisioning rejects a database without migrations', async () => {
  const empty = await createTestDatabase([]);
  try {
    await expect(provision(empty.url, FILE, 'f.yaml', 'tst', loadSecretKeys({ isLocalStack: true }))).rejects.toThrow(
      /migrat/,
    );
  } finally {
    await empty.drop();
  }
});
