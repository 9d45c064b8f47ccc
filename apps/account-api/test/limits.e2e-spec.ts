import { unique } from '@heliograph/testing';
import { AccountFixture, OPERATOR_TOKEN, type Tenant } from './account-fixture';

const MOST = 2;
const SETTINGS = [
  'WORKSPACES',
  'MEMBERS',
  'API_KEYS',
  'SMS_ONBOARDINGS',
  'SMS_SENDERS',
  'SMS_TEMPLATES',
  'EMAIL_DOMAINS',
  'EMAIL_SENDERS',
  'EMAIL_TEMPLATES',
  'EMAIL_SUPPRESSIONS',
  'CHATAPP_CONSENTS',
  'BOTS',
  'BOT_FAQS',
  'BOT_ARTICLES',
  'BOT_SHORTCUTS',
  'BOT_FORMS',
];

/** The request that creates another object of each kind. */
const CREATIONS: Record<string, (own: Owned, n: number) => [string, object]> = {
  WORKSPACES: (_, n) => ['/api/workspaces', { slug: `w-${unique()}-${n}`, displayName: 'Another' }],
  MEMBERS: () => ['/api/organization/invitations', { email: `guest-${unique()}@example.com`, role: 'viewer' }],
  API_KEYS: () => ['/api/organization/api-keys', { name: unique() }],
  SMS_ONBOARDINGS: () => ['/api/organization/sms/onboardings', { name: unique(), country: 'IN' }],
  SMS_SENDERS: ({ onboardingId }, n) => ['/api/organization/sms/senders', { header: `SENDER${n}`, onboardingId }],
  SMS_TEMPLATES: ({ onboardingId }) => [
    '/api/organization/sms/templates',
    { name: unique(), onboardingId, body: 'Hello {{name}}' },
  ],
  EMAIL_DOMAINS: () => ['/api/organization/email/domains', { name: `${unique()}.example` }],
  EMAIL_SENDERS: ({ domain }) => ['/api/organization/email/senders', { address: `${unique()}@${domain}` }],
  EMAIL_TEMPLATES: () => ['/api/organization/email/templates', { slug: `t-${unique()}`, name: 'x', text: 'x' }],
  EMAIL_SUPPRESSIONS: () => ['/api/organization/email/suppressions', { address: `${unique()}@example.com` }],
  CHATAPP_CONSENTS: (_, n) => [
    '/api/organization/chatapp/consents',
    { number: `+9198765432${10 + n}`, status: 'opted_in' },
  ],
  BOTS: ({ place }) => [`${place}/bots`, { id: `bot_${unique()}`, name: 'Another' }],
  BOT_FAQS: ({ place, bot }) => [`${place}/bots/${bot}/faqs`, { question: unique(), answer: 'x' }],
  BOT_ARTICLES: ({ place, bot }) => [`${place}/bots/${bot}/knowledge`, { title: unique(), body: 'x' }],
  BOT_SHORTCUTS: ({ place, bot }, n) => [`${place}/bots/${bot}/shortcuts`, { label: 'x', command: `/x${n}` }],
  BOT_FORMS: ({ place, bot }) => [
    `${place}/bots/${bot}/forms`,
    { title: unique(), fields: [{ key: 'email', label: 'Email', type: 'email' }] },
  ],
};

interface Owned {
  place: string;
  onboardingId: string;
  domain: string;
  bot: string;
}

describe('the limits of an organization', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let owned: Owned;
  beforeAll(async () => {
    const limits = Object.fromEntries(SETTINGS.map((name) => [`LIMITS_${name}`, String(MOST)]));
    const shared = await AccountFixture.shared();
    fixture = await shared.beside({ ...limits, LIMITS_EMAIL_DOMAINS_PER_HOUR: '6' });
    tenant = await fixture.tenant();
    const place = `/api/workspaces/${tenant.workspace.id}`;
    const { key } = tenant;
    const make = async (path: string, body: object) => {
      const { status, data, error } = await fixture.call<Record<string, { id: string }>>('POST', path, { key, body });
      if (status !== 201) throw new Error(`${path}: ${JSON.stringify(error)}`);
      return Object.values(data)[0]!.id;
    };
    const domain = `${unique()}.example`;
    owned = {
      place,
      domain,
      onboardingId: await make('/api/organization/sms/onboardings', { name: 'india', country: 'IN' }),
      bot: await make(`${place}/bots`, { id: `bot_${unique()}`, name: 'First' }),
    };
    await make('/api/organization/email/domains', { name: domain });
  });
  afterAll(() => fixture.service.stop());

  const create = (setting: string, n: number) => {
    const [path, body] = CREATIONS[setting]!(owned, n);
    return fixture.call('POST', path, { key: tenant.key, body });
  };

  it.each(SETTINGS)(
    'LIMITS_%s applies to concurrent calls, which get 409 LIMIT_REACHED above the limit',
    async (setting) => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => create(setting, n)));
      const refused = answers.filter(({ status }) => status === 409);
      const created = answers.filter(({ status }) => status === 201 || status === 200);
      expect([created.length + refused.length, created.length <= MOST, refused.length >= MOST]).toEqual([
        4,
        true,
        true,
      ]);
      const last = await create(setting, 5);
      expect(last).toMatchObject({ status: 409, error: { code: 'LIMIT_REACHED' } });
      expect(last.error.message).toMatch(/Remove|Revoke|Use|Change/);
      expect(last.error.message).toContain(String(MOST));
    },
  );

  it('allow another object after one is deleted', async () => {
    const other = await fixture.tenant();
    const suppress = (address: string) =>
      fixture.call('POST', '/api/organization/email/suppressions', { key: other.key, body: { address } });
    await suppress('a@example.com');
    await suppress('b@example.com');
    expect((await suppress('c@example.com')).status).toBe(409);
    // An existing suppression does not count as a new one.
    expect((await suppress('a@example.com')).status).toBeLessThan(300);
    await fixture.call('DELETE', '/api/organization/email/suppressions/a@example.com', { key: other.key });
    expect((await suppress('c@example.com')).status).toBeLessThan(300);
  });

  it('apply to a whole import', async () => {
    const other = await fixture.tenant();
    const bots = `/api/workspaces/${other.workspace.id}/bots`;
    const { data } = await fixture.call<{ bot: { id: string } }>('POST', bots, { key: other.key, body: { name: 'x' } });
    const faqs = [1, 2, 3].map((n) => ({ question: `Question ${n}`, answer: 'x' }));
    const path = `${bots}/${data.bot.id}/faqs/import`;
    expect(await fixture.call('POST', path, { key: other.key, body: { faqs } })).toMatchObject({
      status: 409,
      error: { code: 'LIMIT_REACHED' },
    });
    const two = { faqs: faqs.slice(0, MOST) };
    expect((await fixture.call('POST', path, { key: other.key, body: two })).status).toBe(201);
  });

  it('do not apply to the operator', async () => {
    const { organizationId } = await fixture.tenant();
    expect(OPERATOR_TOKEN).toBeDefined();
    for (let n = 0; n < MOST + 1; n++) {
      const body = { slug: `w-${unique()}`, displayName: 'Another' };
      const path = `/api/platform/organizations/${organizationId}/workspaces`;
      expect((await fixture.call('POST', path, { operator: true, body })).status).toBe(201);
    }
  });

  it('include new email domains per hour, because each needs an RSA key', async () => {
    const { key } = await fixture.tenant();
    const place = '/api/organization/email/domains';
    const add = () =>
      fixture.call<{ domain: { id: string } }>('POST', place, { key, body: { name: `${unique()}.example` } });
    for (let n = 0; n < 6; n++) {
      const { status, data } = await add();
      expect(status).toBe(201);
      await fixture.call('DELETE', `${place}/${data.domain.id}`, { key });
    }
    const refused = await add();
    expect(refused).toMatchObject({ status: 429, error: { code: 'RATE_LIMITED' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});
