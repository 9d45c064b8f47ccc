import { unique, until } from '@heliograph/testing';
import type { BotPreview } from '../src/bots-and-inbox/bots/preview.dto';
import { AccountFixture, type Tenant } from './account-fixture';
import { connectDirectory } from './bot-inbox-fixture';

interface Live {
  id: string;
  enabled: boolean;
  published: boolean;
}

/** Shorter than the maximum age of cached entries, so that only a notification can update them in time. */
const SOON = { timeoutMs: 10_000 };

/** The request bodies and response property names of each kind of content. */
const KINDS = [
  {
    path: 'faqs',
    one: 'faq',
    many: 'faqs',
    body: { question: 'What are your opening hours?', answer: '9 to 5' },
    change: { answer: '10 to 6' },
  },
  {
    path: 'knowledge',
    one: 'article',
    many: 'articles',
    body: { title: 'Returns', body: 'Within 30 days.' },
    change: { body: 'Within 60 days.' },
  },
  {
    path: 'shortcuts',
    one: 'shortcut',
    many: 'shortcuts',
    body: { label: 'Returns', command: '/returns' },
    change: { label: 'Send back' },
  },
  {
    path: 'forms',
    one: 'form',
    many: 'forms',
    body: { title: 'Contact', fields: [{ key: 'email', label: 'Email', type: 'email', required: true }] },
    change: { title: 'Write to us' },
  },
];

describe('the content of a bot', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  let bot: string;
  let place: string;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
    tenant = await fixture.tenant();
  });
  beforeEach(async () => {
    bot = `bot_${unique()}`;
    place = `/api/workspaces/${tenant.workspace.id}/bots/${bot}`;
    const body = { id: bot, name: 'Help', slug: bot.replace('_', '-') };
    await fixture.call('POST', `/api/workspaces/${tenant.workspace.id}/bots`, { key: tenant.key, body });
  });

  const call = <T = Record<string, Live>>(method: string, path: string, body?: object, headers = {}) =>
    fixture.call<T>(method, `${place}/${path}`, { key: tenant.key, headers, ...(body === undefined ? {} : { body }) });
  const judged = async (message: string) => {
    const { data } = await call<BotPreview>('POST', 'preview', { message });
    return data.judgement.findings.map(({ id }) => id);
  };

  it.each(KINDS)(
    'of the kind $path can be created, listed, read, updated and deleted, with an audit entry for each change',
    async (kind) => {
      const { path, one, many, body, change } = kind;
      const { status, data } = await call('POST', path, body);
      const item = data[one]!;
      expect(status).toBe(201);
      expect(item).toMatchObject({ ...body, enabled: true, published: true });
      expect((await call('GET', `${path}/${item.id}`)).data).toEqual(data);
      const list = (await call<Record<string, Live[]>>('GET', path)).data;
      expect(list[many]).toHaveLength(1);
      expect(item).toMatchObject(list[many]![0]!);

      const changed = (await call('PATCH', `${path}/${item.id}`, { ...change, enabled: false })).data[one];
      expect(changed).toMatchObject({ ...body, ...change, id: item.id, enabled: false, published: true });
      expect((await call('DELETE', `${path}/${item.id}`)).data[one]).toEqual(changed);
      expect((await call('GET', `${path}/${item.id}`)).status).toBe(404);
      expect((await call('DELETE', `${path}/${item.id}`)).status).toBe(404);

      const log = await fixture.call<{ entries: { action: string; before: object | null; after: object | null }[] }>(
        'GET',
        `/api/organization/audit-log?targetId=${item.id}`,
        { key: tenant.key },
      );
      expect(log.data.entries.map(({ action }) => action)).toEqual([
        `bot.${one}.removed`,
        `bot.${one}.changed`,
        `bot.${one}.created`,
      ]);
      expect(log.data.entries[1]).toMatchObject({ before: { enabled: true }, after: { ...change, enabled: false } });
    },
  );

  it.each(KINDS)('of the kind $path is listed in pages', async ({ path, many, body }) => {
    const name = { faqs: 'question', shortcuts: 'command' }[path] ?? 'title';
    for (let i = 0; i < 3; i++) await call('POST', path, { ...body, [name]: `/${i}` });
    const first = await call<Record<string, Live[]> & { nextCursor?: string }>('GET', `${path}?limit=2`);
    const rest = await call<Record<string, Live[]>>('GET', `${path}?limit=2&cursor=${first.data.nextCursor}`);
    const ids = [...first.data[many]!, ...rest.data[many]!].map(({ id }) => id);
    expect([first.data[many]!.length, new Set(ids).size]).toEqual([2, 3]);
    expect(rest.data).not.toHaveProperty('nextCursor');
  });

  it.each(KINDS)('of the kind $path is created once per Idempotency-Key', async ({ path, one, body }) => {
    const headers = { 'Idempotency-Key': unique() };
    const first = await call('POST', path, body, headers);
    const again = await call('POST', path, body, headers);
    expect([again.status, again.headers.get('idempotent-replayed'), again.data[one]!.id]).toEqual([
      201,
      'true',
      first.data[one]!.id,
    ]);
  });

  it.each(KINDS)('of the kind $path is stored without HTML, and is rejected if no text remains', async (kind) => {
    const { path, one, body } = kind;
    const dirty = (text: string) => `<script>alert(1)</script>${text}<img src=x onerror=alert(1)>`;
    const texts = Object.fromEntries(
      Object.entries(body).map(([name, value]) => [
        name,
        typeof value === 'string' && name !== 'command' ? dirty(value) : value,
      ]),
    );
    const made = await call('POST', path, texts);
    expect(made).toMatchObject({ status: 201, data: { [one]: body } });
    expect(JSON.stringify(made.data)).not.toMatch(/<|alert/);
    const required = { faqs: 'answer', knowledge: 'body', forms: 'title' }[path];
    if (required === undefined) return;
    const refused = await call('POST', path, { ...body, [required]: '<svg onload=alert(1)>' });
    expect(refused).toMatchObject({
      status: 422,
      error: { message: expect.stringContaining(`${required}: `) as string },
    });
  });

  it.each<[string, object, string]>([
    ['faqs', { question: 'x' }, 'answer: '],
    ['faqs', { question: 'x'.repeat(501), answer: 'x' }, 'question: '],
    ['faqs', { question: 'x', answer: 'x'.repeat(4_001) }, 'answer: '],
    ['faqs', { question: 'x', answer: 'x\0' }, 'answer: '],
    ['faqs', { question: 'x', answer: 'x', phrasings: 'y' }, 'phrasings: '],
    ['faqs', { question: 'x', answer: 'x', phrasings: Array.from({ length: 51 }, String) }, 'phrasings: '],
    ['faqs', { question: 'x', answer: 'x', enabled: 'true' }, 'enabled: '],
    ['faqs', { question: 'x', answer: 'x', displayOrder: '1' }, 'displayOrder: '],
    ['faqs', { question: 'x', answer: 'x', label: 'x'.repeat(81) }, 'label: '],
    ['faqs', { id: 'a b', question: 'x', answer: 'x' }, 'id: '],
    ['knowledge', { title: 'x'.repeat(201), body: 'x' }, 'title: '],
    ['knowledge', { title: 'x', body: 'x'.repeat(200_001) }, 'body: '],
    ['knowledge', { title: 'x', body: 'x', url: 'javascript:alert(1)' }, 'url: '],
    ['shortcuts', { label: 'x', command: 'returns' }, 'command: '],
    ['shortcuts', { label: 'x', command: '/x', type: 'a b' }, 'type: '],
    ['shortcuts', { label: 'x', command: '/x', type: null }, 'type: '],
    ['forms', { title: 'x', fields: [] }, 'fields: '],
    ['forms', { title: 'x', fields: [7] }, 'fields: '],
    ['forms', { title: 'x', fields: [{ key: 'a', label: 'A', type: 'file' }] }, 'fields[0].type: '],
    ['forms', { title: 'x', fields: [{ key: '1a', label: 'A', type: 'text' }] }, 'fields[0].key: '],
    ['forms', { title: 'x', fields: [{ key: 'a', label: 'A', type: 'select' }] }, 'fields[0].options: '],
    ['forms', { title: 'x', fields: [{ key: 'a', label: 'A', type: 'text', required: 'yes' }] }, 'fields: '],
    [
      'forms',
      { title: 'x', trigger: { keywords: 'x' }, fields: [{ key: 'a', label: 'A', type: 'text' }] },
      'trigger: ',
    ],
  ])('of the kind %s is rejected with a message about the field: %j', async (path, body, message) => {
    const { status, error } = await call('POST', path, body);
    expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect(error.message).toContain(message);
  });

  it('has unique values within the bot', async () => {
    const faq = { id: 'hours', question: 'x', answer: 'x' };
    for (const [path, body] of [
      ['faqs', faq],
      ['knowledge', { title: 'x', body: 'x' }],
      ['shortcuts', { label: 'x', command: '/X' }],
    ] as const) {
      expect((await call('POST', path, body)).status).toBe(201);
      expect(await call('POST', path, body)).toMatchObject({ status: 409, error: { code: 'NAME_TAKEN' } });
    }
  });

  it('answers visitors only while it is enabled and published', async () => {
    await call('POST', 'faqs', {
      id: 'hours',
      question: 'What are your opening hours?',
      answer: '9 to 5',
      enabled: false,
    });
    const question = 'what are your opening hours';
    expect(await judged(question)).toEqual([]);
    await call('PATCH', 'faqs/hours', { enabled: true });
    expect(await judged(question)).toEqual(['hours']);
    await call('PATCH', 'faqs/hours', { published: false });
    expect(await judged(question)).toEqual([]);
    await call('PATCH', 'faqs/hours', { published: true, question: 'Where is your lighthouse?' });
    expect(await judged(question)).toEqual([]);
    expect(await judged('where is the lighthouse')).toEqual(['hours']);
    await call('DELETE', 'faqs/hours');
    expect(await judged('where is the lighthouse')).toEqual([]);
    const { data } = await call<{ article: Live }>('POST', 'knowledge', {
      title: 'Returns of goods',
      body: 'Unworn shoes can be returned within thirty days.',
    });
    expect(await judged('can unworn shoes be returned within thirty days')).toEqual([data.article.id]);
  });

  it('is visible immediately to visitors of a published bot', async () => {
    const { directory, close } = await connectDirectory(fixture.database.url);
    try {
      await call('POST', 'publish', {});
      await until('the bot is available', () => directory.available(bot), SOON);
      await call('POST', 'shortcuts', { id: 'returns', label: 'Returns', command: '/Returns' });
      await call('POST', 'faqs', { id: 'hours', question: 'x', answer: 'x', label: 'Opening hours' });
      const shown = async () => {
        const { shortcuts = [], suggestions = [] } = (await directory.available(bot)) ?? {};
        return [...shortcuts.map(({ command }) => command), ...suggestions.map(({ label }) => label)];
      };
      await until('visitors see the change', async () => (await shown()).join() === '/returns,Opening hours', SOON);
      await call('PATCH', 'shortcuts/returns', { published: false });
      await until('visitors see the change', async () => (await shown()).join() === 'Opening hours', SOON);
    } finally {
      await close();
    }
  });

  describe('an import', () => {
    const faqs = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ id: `q${i}`, question: `Is ${i} a lucky number?`, answer: 'Yes' }));
    const send = (list: unknown, headers = {}) =>
      call<{ import: object }>('POST', 'faqs/import', { faqs: list }, headers);

    it('accepts 1,000 FAQs and updates only the changed ones when it is repeated', async () => {
      expect(await send(faqs(1_000))).toMatchObject({
        status: 201,
        data: { import: { created: 1_000, changed: 0, unchanged: 0 } },
      });
      const again = [...faqs(999), { ...faqs(1_000)[999], answer: 'No' }];
      expect((await send(again)).data.import).toEqual({ created: 0, changed: 1, unchanged: 999 });
      expect(await judged('is 512 a lucky number')).toContain('q512');
      const log = await fixture.call<{ entries: object[] }>('GET', `/api/organization/audit-log?targetId=${bot}`, {
        key: tenant.key,
      });
      expect(log.data.entries[0]).toMatchObject({
        action: 'bot.faqs.imported',
        after: { created: 0, changed: 1, unchanged: 999 },
      });
    }, 60_000);

    it.each<[string, unknown, string]>([
      ['more than 1,000 FAQs', Array.from({ length: 1_001 }, () => ({ question: 'x', answer: 'x' })), 'faqs: '],
      ['none', [], 'faqs: '],
      ['a value that is not a list', {}, 'faqs: '],
      ['a number as an FAQ', [7], 'faqs: '],
      ['an FAQ without an answer', [{ question: 'x', answer: 'x' }, { question: 'x' }], 'faqs[1].answer: '],
      ['an FAQ that contains only HTML', [{ question: '<b></b>', answer: 'x' }], 'faqs[0].question: '],
      [
        'duplicate ids',
        [
          { id: 'a', question: 'x', answer: 'x' },
          { id: 'a', question: 'y', answer: 'y' },
        ],
        'faqs[1].id: ',
      ],
    ])('rejects %s completely with a message about the error', async (_what, list, message) => {
      const { status, error } = await send(list);
      expect([status, error.code]).toEqual([422, 'VALIDATION_ERROR']);
      expect(error.message).toContain(message);
      expect((await call<{ faqs: [] }>('GET', 'faqs')).data.faqs).toEqual([]);
    });

    it('rejects more FAQs than a bot may have', async () => {
      for (let start = 0; start < 2_000; start += 1_000) {
        await send(faqs(1_000).map((faq, i) => ({ ...faq, id: `q${start + i}` })));
      }
      const one = { question: 'x', answer: 'x' };
      expect(await call('POST', 'faqs', one)).toMatchObject({ status: 409, error: { code: 'LIMIT_REACHED' } });
      expect(await send([one])).toMatchObject({ status: 409, error: { code: 'LIMIT_REACHED' } });
    }, 120_000);
  });
});
