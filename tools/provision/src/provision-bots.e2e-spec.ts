import { findAnswers } from '@heliograph/bot-search';
import { Pool } from 'pg';
import { useProvisioning } from './provision.fixture';

const FILE = `
organizations:
  - slug: acme
    workspaces: [{ slug: acme-first }, { slug: acme-second }]
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
`;

const test = useProvisioning();
const { apply, rows } = test;

/** Returns the titles of the answers that `bot_acme` finds. */
async function found(text: string): Promise<string[]> {
  const [bot] = await rows<{ id: string; locale: string }>(
    `SELECT id, locale FROM bots.bots WHERE public_id = 'bot_acme'`,
  );
  const pool = new Pool({ connectionString: test.database.url, max: 1 });
  try {
    const { faqs, knowledge } = await findAnswers(pool, { botId: bot!.id, locale: bot!.locale, text, synonyms: [] });
    return [...faqs, ...knowledge].map(({ title }) => title);
  } finally {
    await pool.end();
  }
}

describe('provisioning of bots', () => {
  it('creates bots with their content, and publishes bots with a version', async () => {
    await apply(FILE);
    expect(
      await rows(
        `SELECT b.public_id, b.name, b.locale, b.status, b.settings, w.slug AS workspace, v.number, v.tone
         FROM bots.bots AS b JOIN tenancy.workspaces AS w ON w.id = b.workspace_id
         LEFT JOIN bots.versions AS v ON v.bot_id = b.id ORDER BY 1`,
      ),
    ).toEqual([
      {
        public_id: 'bot_acme',
        name: 'Acme Help',
        locale: 'en',
        status: 'active',
        workspace: 'acme-first',
        settings: { branding: { color: '#0a7' }, mine: [1, null, { deep: true }] },
        number: 2,
        tone: 'friendly',
      },
      {
        public_id: 'bot_draft',
        name: 'Draft',
        locale: 'en',
        status: 'draft',
        workspace: 'acme-second',
        settings: {},
        number: null,
        tone: null,
      },
    ]);
    expect(
      await rows(
        'SELECT public_id, label, phrasings, display_order, is_published FROM bots.faqs ORDER BY display_order',
      ),
    ).toEqual([
      { public_id: 'hours', label: 'Hours', phrasings: [], display_order: 1, is_published: true },
      {
        public_id: 'winter',
        label: null,
        phrasings: ['Are you open when it snows?'],
        display_order: 2,
        is_published: false,
      },
    ]);
    expect(await rows('SELECT command, display_order FROM bots.shortcuts')).toEqual([
      { command: '/returns', display_order: 1 },
    ]);
    expect(await rows('SELECT public_id, trigger_keywords, fields FROM bots.forms')).toEqual([
      {
        public_id: 'lead',
        trigger_keywords: ['demo'],
        fields: [{ key: 'email', label: 'Email', type: 'email', required: true }],
      },
    ]);
    expect(await found('when do you open')).toEqual(['What are your opening hours?']);
    expect(await found('can goods be returned')).toEqual(['Returns']);
  });

  it('updates bots, and publishes only newer versions', async () => {
    await apply(FILE);
    const change = (version: string, more = '') =>
      apply(`
organizations:
  - slug: acme
    bots:
      - publicId: bot_acme
        name: Acme Desk
        slug: acme-help
        workspace: acme-first
        ${version}
        faqs: [{ id: hours, question: "When are you open?", answer: 10 to 6 ${more} }]`);
    const versions = () => rows('SELECT number, tone FROM bots.versions ORDER BY number');
    await change('version: { number: 1, tone: formal }');
    expect(await versions()).toEqual([{ number: 2, tone: 'friendly' }]);
    await change('version: { number: 2, tone: formal }');
    expect(await versions()).toEqual([{ number: 2, tone: 'formal' }]);
    await change('version: { number: 4, tone: warm }', ', enabled: false');
    expect(await versions()).toEqual([
      { number: 2, tone: 'formal' },
      { number: 4, tone: 'warm' },
    ]);
    expect(await rows(`SELECT name FROM bots.bots WHERE public_id = 'bot_acme'`)).toEqual([{ name: 'Acme Desk' }]);
    expect(await rows('SELECT public_id, is_enabled FROM bots.faqs ORDER BY 1')).toEqual([
      { public_id: 'hours', is_enabled: false },
      { public_id: 'winter', is_enabled: true },
    ]);
    expect(await found('when are you open')).toEqual([]);
  });

  it('sanitizes texts of a bot, and omits entries without text', async () => {
    const hostile = '<script>alert(1)</script>';
    const { notes } = await apply(`
organizations:
  - slug: acme
    workspaces: [{ slug: acme-first }]
    bots:
      - publicId: bot_hostile
        name: "${hostile}"
        slug: hostile
        workspace: acme-first
        avatarUrl: "javascript:alert(1)"
        settings: { welcomeMessage: "${hostile}Hi" }
        faqs: [{ id: a, question: "x ${hostile}", answer: "y" }, { id: b, question: z, answer: "${hostile}" }]
        shortcuts: [{ id: s, label: "${hostile}", command: /s, type: faq }]
        forms: [{ id: f, title: T, fields: [{ key: k, label: "${hostile}", type: text }] }]`);
    expect(notes).toEqual([expect.stringMatching(/^note: organizations\[0\]\.bots\[0\]\.faqs\[1\]: contains no text/)]);
    expect(await rows('SELECT name, avatar_url, settings FROM bots.bots')).toEqual([
      { name: 'hostile', avatar_url: null, settings: { welcomeMessage: 'Hi' } },
    ]);
    expect(await rows('SELECT question FROM bots.faqs')).toEqual([{ question: 'x' }]);
    expect(await rows('SELECT label FROM bots.shortcuts')).toEqual([{ label: '/s' }]);
  });

  it.each([
    [
      'an invalid command',
      'shortcuts: [{ id: s, label: S, command: /a/b, type: faq }]',
      /bots\[0\]\.shortcuts\[0\]: command: /,
    ],
    ['an invalid language', 'locale: no language', /bots\[0\]: locale: /],
    ['an invalid id', 'faqs: [{ id: a b, question: x, answer: x }]', /bots\[0\]\.faqs\[0\]: id: /],
    [
      'an invalid choice',
      'forms: [{ id: f, title: T, fields: [{ key: k, label: L, type: select }] }]',
      /bots\[0\]\.forms\[0\]: fields\[0\]\.options: /,
    ],
  ])('names the line with %s', async (_what, entry, problem) => {
    const run = apply(`
organizations:
  - slug: acme
    workspaces: [{ slug: acme-first }]
    bots:
      - publicId: bot_x
        name: X
        slug: xxx
        workspace: acme-first
        ${entry}`);
    await expect(run).rejects.toThrow(problem);
    await expect(run).rejects.toThrow(/^f\.yaml:(6|10):\d+: organizations/);
    expect(await rows('SELECT 1 FROM bots.bots')).toEqual([]);
  });

  it('names the line of a bot of another organization', async () => {
    await apply(FILE);
    await expect(
      apply(`
organizations:
  - slug: other
    workspaces: [{ slug: other-main }]
    bots:
      - { publicId: bot_acme, name: Mine, slug: mine, workspace: other-main }`),
    ).rejects.toThrow(
      /^f\.yaml:6:9: organizations\[0\]\.bots\[0\]: publicId: bot_acme belongs to another organization/,
    );
    await expect(
      apply(`
organizations:
  - slug: acme
    bots:
      - { publicId: bot_a, name: A, slug: aaa, workspace: acme-first }
      - { publicId: bot_a, name: B, slug: bbb, workspace: nowhere }`),
    ).rejects.toThrow(/^f\.yaml:6:\d+: organizations\[0\]\.bots\[1\]\.publicId: is used twice/);
  });
});
