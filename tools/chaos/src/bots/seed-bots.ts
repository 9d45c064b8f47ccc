import { ARTICLES, BotCatalogService, BotContentService, FAQS, FORMS, SHORTCUTS } from '@heliograph/bot-catalog';
import { botEntities } from '@heliograph/bot-conversations';
import { benchWorkspaces, withSeedConnection, type BenchWorkspace } from '@heliograph/harness';
import type { EntityManager } from 'typeorm';
import { CONVERSATION_CHANGE_LOG } from './conversation-change-log';

/** Public ids; the nth bot belongs to the nth organization. */
export const BOT_IDS = ['bot_chaos_shop', 'bot_chaos_bank'] as const;
export const FORM_ID = 'form_call_back';
export const SHORTCUT = { id: 'shortcut_returns', command: '/returns' } as const;

const FAQ_TEXTS: readonly [string, string][] = [
  ['What are your opening hours?', 'We are open from Monday to Saturday, 9 am to 8 pm.'],
  ['How long does delivery take?', 'Three to five working days.'],
  ['Can I return what I do not like?', 'Within 30 days, unworn and with its tag.'],
  ['How can I pay?', 'By card, by bank transfer, or on delivery.'],
  ['Where is my parcel?', 'The tracking link is in the mail that announced the shipping.'],
  ['Do you have gift cards?', 'Of any amount from 10 to 500.'],
];

/** Questions of visitors: known and unknown questions, and requests for an agent or a form. */
export const QUESTIONS: readonly string[] = [
  ...FAQ_TEXTS.map(([question]) => question),
  'when do you open on monday',
  'dilivery time?',
  'how do i wash the linen shirt',
  'What is the meaning of life',
  'hello',
  'thanks!',
  'please call me back',
  'I want to talk to a person',
];

/** Creates and publishes bots for the first organizations of a seeded database, and installs the change log. */
export async function seedBots(databaseUrl: string): Promise<void> {
  await withSeedConnection(databaseUrl, botEntities, async (dataSource, pool) => {
    await pool.query(CONVERSATION_CHANGE_LOG);
    const workspaces = await benchWorkspaces(pool, BOT_IDS.length);
    for (const [index, publicId] of BOT_IDS.entries()) {
      const workspace = workspaces[index];
      if (workspace) await dataSource.transaction((transaction) => createBot(transaction, workspace, publicId));
    }
  });
}

async function createBot(transaction: EntityManager, workspace: BenchWorkspace, publicId: string): Promise<void> {
  const catalog = new BotCatalogService();
  const content = new BotContentService();
  const key = { ...workspace, publicId };
  await catalog.create(transaction, workspace, { publicId, name: 'Chaos Help' });
  const faqs = FAQ_TEXTS.map(([question, answer], order) => ({
    id: `faq_${order}`,
    question,
    answer,
    label: order < 4 ? question : null,
    displayOrder: order,
  }));
  await content.put(transaction, key, FAQS, faqs, 'faqs');
  const article = { title: 'Care of linen', body: 'Wash linen at 40 degrees and dry it in the shade.' };
  await content.put(transaction, key, ARTICLES, [article], 'knowledge');
  const shortcut = { ...SHORTCUT, label: 'Returns', type: 'faq', query: 'faq_2' };
  await content.put(transaction, key, SHORTCUTS, [shortcut], 'shortcuts');
  const form = {
    id: FORM_ID,
    title: 'Call back',
    trigger: { keywords: ['call me back'] },
    fields: [
      { key: 'name', label: 'Name', type: 'text' },
      { key: 'email', label: 'Email', type: 'email', required: true },
    ],
  };
  await content.put(transaction, key, FORMS, [form], 'forms');
  await catalog.publish(transaction, key, {});
}
