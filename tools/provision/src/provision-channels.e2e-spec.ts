import { FILE, useProvisioning } from './provision.fixture';

const test = useProvisioning();
const { apply, rows } = test;

describe('provisioning of channels', () => {
  it('creates domains, senders and templates for email', async () => {
    await apply(FILE);
    expect(await rows('SELECT name, status, verified_by, expires_at FROM email.domains ORDER BY name')).toEqual([
      {
        name: 'acme.example',
        status: 'verified',
        verified_by: 'operator',
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
        slug: 'welcome',
        name: 'Welcome',
        subject: 'Hi {{ name }}',
        html: '<p>{{ code }}</p>',
        text: null,
        variables: ['name', 'code'],
      },
    ]);
    expect(await rows('SELECT address_key, reason, message_id FROM email.suppressions')).toEqual([
      { address_key: 'gone@elsewhere.example', reason: 'bounced', message_id: null },
    ]);
  });

  it('updates email entries, but keeps a DNS verification and a complaint', async () => {
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

  it('row 27: sets the unsubscribe scopes of templates and suppressions', async () => {
    await apply(`
organizations:
  - slug: acme
    name: Acme
    email:
      templates:
        - { slug: code, name: Code, text: "{{ code }}", unsubscribeScope: transactional }
        - { slug: hello, name: Hello, text: Hello }
      suppressions:
        - { address: a@b.example, reason: unsubscribed, scope: news }
        - { address: a@b.example, reason: manual, scope: marketing }
        - { address: c@b.example, reason: manual }`);
    expect(await rows('SELECT slug, unsubscribe_scope FROM email.templates ORDER BY slug')).toEqual([
      { slug: 'code', unsubscribe_scope: 'transactional' },
      { slug: 'hello', unsubscribe_scope: null },
    ]);
    expect(await rows('SELECT address_key, scope FROM email.suppressions ORDER BY address_key, scope')).toEqual([
      { address_key: 'a@b.example', scope: 'marketing' },
      { address_key: 'a@b.example', scope: 'news' },
      { address_key: 'c@b.example', scope: 'all' },
    ]);
  });

  it.each([
    ['an invalid domain', 'domains: [{ name: acme }]', /email\.domains\[0\]: name: must be a domain name/],
    [
      'a sender on an unknown domain',
      'senders: [{ address: a@nowhere.example }]',
      /email\.senders\[0\]: address: nowhere\.example is not one of your domains/,
    ],
    [
      'an invalid template',
      'templates: [{ slug: t, name: T, html: "{% if x %}" }]',
      /email\.templates\[0\]: html, line 1, column \d+: /,
    ],
    ['an empty template', 'templates: [{ slug: t, name: T }]', /email\.templates\[0\]: subject, html, text: at least/],
  ])('names the line with %s', async (_what, entries, problem) => {
    await apply(FILE);
    const run = apply(`organizations:\n  - slug: other\n    email:\n      ${entries}`);
    await expect(run).rejects.toThrow(problem);
    await expect(run).rejects.toThrow(/^f\.yaml:4:\d+: organizations\[0\]/);
    expect(await rows(`SELECT 1 FROM tenancy.organizations WHERE slug = 'other'`)).toEqual([]);
  });

  it('records consents and publishes their events', async () => {
    await apply(FILE);
    expect(await rows('SELECT number, status, source, note FROM chatapp.consents ORDER BY number')).toEqual([
      { number: '+919811111111', status: 'opted_out', source: 'provisioning', note: null },
      { number: '+919811111112', status: 'opted_in', source: 'form', note: 'Signed at the counter' },
    ]);
    expect(await rows(`SELECT 1 FROM messaging.outbox WHERE type = 'chatapp.consent.changed'`)).toHaveLength(2);
  });

  it('keeps an opt-out by keyword and reports it', async () => {
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

  it('sets current and future prices', async () => {
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
        category: 'marketing',
        base_cost: 75,
        markup: 9,
        currency: 'INR',
        valid_from: new Date('2100-01-01T00:00:00Z'),
      },
    ]);
    // The price for all countries exists since the first migration.
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
});
