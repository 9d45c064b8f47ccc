import { ProvisioningError } from './provisioning-error';
import { readProvisioningFile } from './read-provisioning-file';

function problemsOf(yaml: string): readonly string[] {
  try {
    readProvisioningFile(yaml, 'f.yaml');
  } catch (error) {
    if (error instanceof ProvisioningError) return error.problems;
    throw error;
  }
  return [];
}

const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ01';

describe('readProvisioningFile', () => {
  it('accepts a file with every section', () => {
    expect(problemsOf(COMPLETE)).toEqual([]);
  });

  it.each(['', '# nothing', '{}', 'organizations: []'])('accepts an empty file: %j', (yaml) => {
    expect(problemsOf(yaml)).toEqual([]);
  });

  it('does not convert scalars that look like a date or an id', () => {
    const { file } = readProvisioningFile(COMPLETE, 'f.yaml');
    const [organization] = file.organizations;
    expect(organization!.sms.onboardings[0]!.dltEntityId).toBe('1101000000000000001');
    expect(organization!.apiKeys[0]!.expiresAt).toEqual(new Date('2030-01-01T00:00:00Z'));
  });

  it.each([
    ['organisations: []', 'f.yaml:1:1: organisations: unknown key'],
    [
      'organizations:\n  - slug: acme\n    sms:\n      senders:\n        - { header: A, onboarding: x, dltId: "1" }',
      'f.yaml:5:39: organizations[0].sms.senders[0].dltId: unknown key',
    ],
    ['organizations:\n  - name: Acme', 'f.yaml:2:5: organizations[0].slug: is missing; expected string'],
    ['organizations: { slug: a }', 'f.yaml:1:16: organizations: must be array, not object'],
    ['- 1', 'f.yaml:1:1: the file: must be object, not array'],
    [
      'organizations:\n  - slug: acme\n    sms: { onboardings: [{ name: i, country: IN, dltEntityId: 11 }] }',
      'f.yaml:3:63: organizations[0].sms.onboardings[0].dltEntityId: must be string, not number; quote it',
    ],
    [
      'organizations:\n  - slug: acme\n    ipAllowlist:\n      - 10.0.0.0/8\n      - 10.0.0.0/33',
      'f.yaml:5:9: organizations[0].ipAllowlist[1]: must be an IP address or CIDR, such as 10.0.0.0/8',
    ],
  ])('names the position of the error in %j', (yaml, problem) => {
    expect(problemsOf(yaml)).toEqual([problem]);
  });

  it.each([
    ['an invalid slug', 'organizations: [{ slug: "Acme!" }]'],
    [
      'a user whose address system mail cannot reach',
      'organizations: [{ slug: acme, users: [{ email: ann@xn--zzzzzzzz9999999.com, name: Ann }] }]',
    ],
    ['an invalid country', 'organizations: [{ slug: acme, sms: { onboardings: [{ name: i, country: in }] } }]'],
    ['an invalid status', 'organizations: [{ slug: acme, workspaces: [{ slug: main, status: paused }] }]'],
    ['an invalid scope', 'organizations: [{ slug: acme, apiKeys: [{ name: k, scopes: ["sms:all"] }] }]'],
    ['a key that is too short', 'organizations: [{ slug: acme, apiKeys: [{ name: k, key: msg_live_short }] }]'],
    [
      'a time without a time zone',
      'organizations: [{ slug: acme, apiKeys: [{ name: k, expiresAt: 2030-01-01T00:00:00 }] }]',
    ],
    ['a negative balance', 'organizations: [{ slug: acme, workspaces: [{ slug: main, credits: { sms: -1 } }] }]'],
    [
      'a balance of an unknown credit type',
      'organizations: [{ slug: acme, workspaces: [{ slug: main, credits: { fax: 1 } }] }]',
    ],
    [
      'a number that is not in E.164',
      'organizations: [{ slug: acme, chatapp: { consents: [{ number: "98", status: opted_in }] } }]',
    ],
    [
      'an invalid category',
      'platform: { chatapp: { prices: [{ country: "*", category: x, baseCost: 1, markup: 1, currency: INR }] } }',
    ],
    [
      'a duplicate consent',
      'organizations: [{ slug: acme, chatapp: { consents: [{ number: "+919811111111", status: opted_in }, { number: "919811111111", status: pending }] } }]',
    ],
    [
      'a duplicate price',
      'platform: { chatapp: { prices: [{ country: IN, category: service, baseCost: 1, markup: 1, currency: INR }, { country: IN, category: service, baseCost: 2, markup: 1, currency: INR }] } }',
    ],
    [
      'an invalid currency',
      'platform: { chatapp: { prices: [{ country: IN, category: service, baseCost: 1, markup: 1, currency: QQQ }] } }',
    ],
    [
      'an invalid country of a price',
      'platform: { chatapp: { prices: [{ country: XX, category: service, baseCost: 1, markup: 1, currency: INR }] } }',
    ],
    ['an invalid address', 'organizations: [{ slug: acme, email: { senders: [{ address: "A <a@b.example>" }] } }]'],
    [
      'an invalid reason',
      'organizations: [{ slug: acme, email: { suppressions: [{ address: a@b.example, reason: x }] } }]',
    ],
    [
      'an invalid unsubscribe scope',
      'organizations: [{ slug: acme, email: { templates: [{ slug: t, name: T, unsubscribeScope: My list }] } }]',
    ],
    [
      'an invalid scope of a suppression',
      'organizations: [{ slug: acme, email: { suppressions: [{ address: a@b.example, reason: manual, scope: transactional }] } }]',
    ],
    [
      'a duplicate suppression',
      'organizations: [{ slug: acme, email: { suppressions: [{ address: a@b.example, reason: manual }, { address: A@b.example, reason: bounced, scope: all }] } }]',
    ],
    [
      'a duplicate domain',
      'organizations: [{ slug: acme, email: { domains: [{ name: b.example }, { name: B.example }] } }]',
    ],
    [
      'a duplicate sender',
      'organizations: [{ slug: acme, email: { senders: [{ address: a@b.example }, { address: A@B.example }] } }]',
    ],
    [
      'a duplicate template',
      'organizations: [{ slug: acme, email: { templates: [{ slug: t, name: T }, { slug: t, name: U }] } }]',
    ],
    [
      'two main senders',
      'organizations: [{ slug: acme, email: { senders: [{ address: a@b.example, main: true }, { address: c@b.example, main: true }] } }]',
    ],
    ['two organizations with the same slug', 'organizations: [{ slug: acme }, { slug: acme }]'],
    [
      'two workspaces with the same slug',
      'organizations: [{ slug: a-a, workspaces: [{ slug: www }] }, { slug: b-b, workspaces: [{ slug: www }] }]',
    ],
    ['a duplicate key', `unboundApiKeys: [{ name: a, key: ${KEY} }, { name: b, key: ${KEY} }]`],
    ['two keys with the same name', 'unboundApiKeys: [{ name: a }, { name: a }]'],
  ])('rejects %s', (_what, yaml) => {
    expect(problemsOf(yaml)).toHaveLength(1);
    expect(problemsOf(yaml)[0]).toMatch(/^f\.yaml:1:\d+: \S/);
  });

  it('lists all errors', () => {
    expect(problemsOf('a: 1\nb: 2\norganizations: 3')).toEqual([
      expect.stringMatching(/^f\.yaml:3:16: organizations: /),
      expect.stringMatching(/^f\.yaml:1:1: a: /),
      expect.stringMatching(/^f\.yaml:2:1: b: /),
    ]);
  });

  it.each([
    ['invalid syntax', 'a: [1\nb: 2'],
    ['a repeated key', 'platform: {}\nplatform: {}'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['an unknown tag', 'organizations: !!js/function []'],
  ])('names the position of %s', (_what, yaml) => {
    expect(problemsOf(yaml)[0]).toMatch(/^f\.yaml:\d+:\d+: /);
  });

  it('resolves aliases and names the position in the aliased part', () => {
    const yaml = 'organizations:\n  - &a { slug: acme }\n  - *a';
    expect(problemsOf(yaml)).toEqual([expect.stringMatching(/^f\.yaml:2:16: organizations\[1\]\.slug: is used twice/)]);
  });

  it('does not expand nested aliases', () => {
    const levels = Array.from({ length: 30 }, (_, i) => `l${i + 1}: &l${i + 1} [${Array(9).fill(`*l${i}`).join()}]`);
    expect(problemsOf(['l0: &l0 [x]', ...levels].join('\n'))[0]).toMatch(/alias/i);
  });
});

const COMPLETE = `
organizations:
  - slug: acme
    name: Acme
    ipAllowlist: [10.0.0.0/8, "2001:db8::/32"]
    users:
      - { email: owner@acme.example, name: Owner, password: correct horse battery staple, role: owner, totpSecret: null }
    workspaces:
      - { slug: acme-main, displayName: Main, plan: pro, status: active, billingCustomer: cus_1, credits: { sms: 1, email: 2, chatapp: 3 } }
    apiKeys:
      - { name: all, key: ${KEY}, scopes: [], role: owner, workspace: null, expiresAt: 2030-01-01T00:00:00Z, revoked: false }
    sms:
      onboardings: [{ name: india, country: IN, status: approved, dltEntityId: "1101000000000000001" }]
      senders: [{ header: ACMEIN, onboarding: india, dltSenderId: "1", active: true }]
      templates: [{ name: otp, onboarding: india, body: "{{code}}", dltTemplateId: "1", active: true }]
    email:
      domains: [{ name: acme.example, status: verified, expiresAt: null }]
      senders: [{ address: hello@acme.example, name: Acme, main: true }]
      templates: [{ slug: welcome, name: Welcome, subject: "Hi {{ name }}", html: "<p>Hi</p>", text: Hi }]
      suppressions: [{ address: gone@elsewhere.example, reason: bounced }]
    chatapp:
      consents: [{ number: "+919811111111", status: opted_out, source: provisioning }]
    bots:
      - publicId: bot_acme
        name: Help
        slug: acme-help
        locale: en
        status: active
        workspace: acme-main
        avatarUrl: null
        settings: { branding: { color: "#0a7" }, anything: [1, null, { deep: true }] }
        version: { number: 1, tone: friendly }
        faqs: [{ id: hours, question: When?, answer: Nine, label: Hours, enabled: true, published: true }]
        knowledge: [{ title: Returns, body: Thirty days }]
        shortcuts:
          - { id: r, label: R, command: /returns, description: D, type: knowledge_query, query: r, displayOrder: 1, enabled: true, published: true }
        forms:
          - { id: lead, title: T, trigger: { keywords: [contact] }, fields: [{ key: email, label: Email, type: email, required: true }] }
unboundApiKeys:
  - { name: stray, key: msg_live_strayKeyOfNobody0123456789abcdef }
platform:
  sms: { rates: [{ country: DE, rate: 3 }] }
  chatapp:
    prices:
      - { country: IN, category: marketing, baseCost: 80, markup: 20, currency: INR }
      - { country: "*", category: service, baseCost: 30, markup: 10, currency: INR }
`;
