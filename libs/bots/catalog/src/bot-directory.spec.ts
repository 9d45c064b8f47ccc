import { ChangeFeed } from '@heliograph/database';
import { until } from '@heliograph/testing';
import type { BotKey } from './bot-access';
import { BotDirectory } from './bot-directory';
import { CatalogFixture } from './catalog.fixture';
import { BotFaq } from './entities/bot-faq.entity';
import { BotForm } from './entities/bot-form.entity';
import { BotShortcut } from './entities/bot-shortcut.entity';
import { BotVersion } from './entities/bot-version.entity';
import { Bot } from './entities/bot.entity';
import { FAQS } from './content/faqs';
import { FORMS } from './content/forms';
import { SHORTCUTS } from './content/shortcuts';

let fixture: CatalogFixture;
let changes: ChangeFeed;
let directory: BotDirectory;
beforeAll(async () => {
  fixture = await CatalogFixture.start();
  changes = new ChangeFeed({ connectionString: fixture.database.url });
  const { dataSource } = fixture;
  directory = new BotDirectory(
    dataSource.getRepository(Bot),
    dataSource.getRepository(BotVersion),
    dataSource.getRepository(BotFaq),
    dataSource.getRepository(BotShortcut),
    dataSource.getRepository(BotForm),
    changes,
  );
  await until('the change feed is live', () => changes.live);
});
afterAll(async () => {
  await changes.stop();
  await fixture.stop();
});

const publish = (key: BotKey, publication: object = {}) =>
  fixture.write((t) => fixture.catalog.publish(t, key, publication));
const put = async (key: BotKey) => {
  await fixture.write(async (t) => {
    const faq = (id: string, more: object = {}) => ({ id, question: id, answer: id, label: id, ...more });
    await fixture.content.put(
      ...([t, key, FAQS] as const),
      [
        faq('b', { displayOrder: 2 }),
        faq('a', { displayOrder: 1 }),
        faq('off', { enabled: false }),
        faq('plain', { label: null }),
      ],
      'faqs',
    );
    const command = (id: string, more: object = {}) => ({ id, label: id, command: `/${id}`, ...more });
    await fixture.content.put(t, key, SHORTCUTS, [command('s'), command('draft', { published: false })], 'shortcuts');
    const field = { key: 'size', label: 'Size', type: 'select', options: ['S', 'L'] };
    await fixture.content.put(t, key, FORMS, [{ id: 'lead', title: 'Lead', fields: [field] }], 'forms');
  });
};

it('the directory returns an active bot with its newest version and only its enabled and published content, in order', async () => {
  const key = await fixture.bot({ name: 'Acme Help', avatarUrl: 'https://a.example/a.png' });
  await put(key);
  await publish(key);
  await publish(key, { tone: 'formal' });
  const bot = await until('the bot is available', () => directory.available(key.publicId));
  expect(bot).toMatchObject({
    publicId: key.publicId,
    organizationId: key.organizationId,
    workspaceId: key.workspaceId,
    locale: 'en',
    version: { number: 2, tone: 'formal' },
    branding: {
      color: '#4f46e5',
      logo: 'https://a.example/a.png',
      welcome: 'Welcome. This is Acme Help. How may we assist you?',
    },
    shortcuts: [{ id: 's', command: '/s', type: 'knowledge_query', query: null }],
    forms: [
      { id: 'lead', fields: [{ key: 'size', label: 'Size', type: 'select', required: false, options: ['S', 'L'] }] },
    ],
  });
  expect(bot.shortcuts).toHaveLength(1);
  expect(bot.suggestions).toEqual([
    { id: 'a', label: 'a' },
    { id: 'b', label: 'b' },
  ]);
  expect(await directory.faq(bot.id, 'a')).toMatchObject({ question: 'a' });
  expect(await directory.faq(bot.id, 'off')).toBeNull();
  expect(await directory.faq(bot.id, 'x'.repeat(300))).toBeNull();
});

it('the directory does not return a bot that is unknown, a draft, paused, or without a version', async () => {
  const key = await fixture.bot();
  expect(await directory.available(key.publicId)).toBeNull();
  expect(await directory.available('bot_nobodys')).toBeNull();
  expect(await directory.available('x'.repeat(10_000))).toBeNull();
  const home = { organizationId: key.organizationId, workspaceId: key.workspaceId };
  const unpublished = { publicId: 'bot_unpublished', name: 'x', slug: 'unpublished', status: 'active' as const };
  await fixture.write((t) => fixture.catalog.put(t, home, unpublished));
  expect(await directory.available('bot_unpublished')).toBeNull();
  await publish(key);
  await until('the bot is available', () => directory.available(key.publicId));
  await fixture.write((t) => fixture.catalog.pause(t, key));
  await until('the bot is unavailable', async () => (await directory.available(key.publicId)) === null);
});
