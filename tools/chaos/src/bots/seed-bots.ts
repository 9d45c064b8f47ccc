import {
  ARTICLES,
  BotCatalogService,
  BotContentService,
  FAQS,
  FORMS,
  SHORTCUTS,
  type BotHome,
} from '@heliograph/bot-catalog';
import { botEntities } from '@heliograph/bot-conversations';
import { createDataSource, databaseSettings } from '@heliograph/database';
import { benchCustomer } from '@heliograph/harness';
import { BOTS_WITNESS } from './bots-witness';

/** Public ids; the nth bot is that of the nth organization. */
export const BOT_IDS = ['bot_chaos_shop', 'bot_chaos_bank'] as const;
export const FORM_ID = 'form_call_back';
export const SHORTCUT = { id: 'shortcut_returns', command: '/returns' } as const;

const FAQ_TEXTS: readonly [string, string][] = [
  ['What are your opening hours?', 'We are open from Monday to Saturday, 9 am to 8 pm.'],
  ['How long does delivery take?', 'Three to five working days.'],
  ['Can I return what I do not like?', 'Within 30 days, unworn and with its tag.'],
  ['How can I pay?', 'By card, by bank transfer, or when it arrives.'],
  ['Where is my parcel?', 'The tracking link is in the mail that told you of the shipping.'],
  ['Do you have gift cards?', 'Of any amount from 10 to 500.'],
];

/** What visitors ask: what the bots know, what they do not, and what calls for a person or a form. */
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

/** Gives the first organizations of a seeded database bots that are published, and sets the witness beside them. */
export async function seedBots(databaseUrl: string): Promise<void> {
  const settings = databaseSettings.parse({ DATABASE_URL: databaseUrl, DATABASE_POOL_SIZE: 2 });
  const dataSource = await createDataSource(settings, 'chaos seed', botEntities).initialize();
  const [catalog, content] = [new BotCatalogService(), new BotContentService()];
  await dataSource.query(BOTS_WITNESS);
  for (const [index, publicId] of BOT_IDS.entries()) {
    const [home] = await dataSource.query<BotHome[]>(
      `SELECT organization_id AS "organizationId", id AS "workspaceId" FROM tenancy.workspaces WHERE billing_customer = $1`,
      [benchCustomer(index)],
    );
    if (!home) throw new Error(`the organization ${index} has no workspace`);
    const key = { ...home, publicId };
    await dataSource.transaction(async (transaction) => {
      await catalog.create(transaction, home, { publicId, name: 'Chaos Help' });
      const faqs = FAQ_TEXTS.map(([question, answer], order) => ({
        ...{ id: `faq_${order}`, question, answer, label: order < 4 ? question : null, displayOrder: order },
      }));
      await content.put(transaction, key, FAQS, faqs, 'faqs');
      const care = { title: 'Care of linen', body: 'Wash linen at 40 degrees and dry it in the shade.' };
      await content.put(transaction, key, ARTICLES, [care], 'knowledge');
      const shortcut = { ...SHORTCUT, label: 'Returns', type: 'faq', query: 'faq_2' };
      await content.put(transaction, key, SHORTCUTS, [shortcut], 'shortcuts');
      const form = {
        id: FORM_ID,
        title: 'Call back',
        trigger: { keywords: ['call me back'] },
        fields: [
          { key: 'name', label: 'Name', type: 'text' },
          { key: 'email', label: 'Mail', type: 'email', required: true },
        ],
      };
      await content.put(transaction, key, FORMS, [form], 'forms');
      await catalog.publish(transaction, key, {});
    });
  }
  await dataSource.destroy();
}
