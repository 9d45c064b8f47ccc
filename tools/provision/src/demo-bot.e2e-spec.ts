import { readFileSync } from 'node:fs';
import path from 'node:path';
import { accountApi } from '@heliograph/account-api';
import { readSettings } from '@heliograph/bot-catalog';
import { decideAnswer, findAnswers } from '@heliograph/bot-search';
import { smsApi } from '@heliograph/sms-api';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Pool } from 'pg';
import { loadSecretKeys, provision } from './provision';

const demoFile = readFileSync(path.join(__dirname, '../../local-stack/demo.yaml'), 'utf8');

/** The bot of the demo file, which is the first bot that a new user sees. */
describe('the demo bot', () => {
  let database: TestDatabase;
  let pool: Pool;
  let bot: { id: string; locale: string; settings: object };
  beforeAll(async () => {
    database = await createTestDatabase([...new Set([...smsApi.migrations, ...accountApi.migrations])]);
    await provision(database.url, demoFile, 'demo.yaml', 'msg', loadSecretKeys({ isLocalStack: true }));
    pool = new Pool({ connectionString: database.url, max: 2 });
    const { rows } = await pool.query<typeof bot>(
      `SELECT id, locale, settings FROM bots.bots WHERE public_id = 'bot_acme_help' AND status = 'active'`,
    );
    bot = rows[0]!;
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  const answer = async (text: string): Promise<string> => {
    const { synonyms } = readSettings(bot.settings);
    const decision = decideAnswer(await findAnswers(pool, { botId: bot.id, locale: bot.locale, text, synonyms }));
    if (decision.kind === 'answer') {
      const { kind, id, title } = decision.finding;
      return kind === 'faq' ? id : title;
    }
    return decision.kind === 'choices' ? decision.findings.map(({ id }) => id).join(' or ') : 'nothing';
  };

  it.each([
    ['What are your opening hours?', 'hours'],
    ['when are you open on saturday', 'hours'],
    ['How long does shipping take', 'delivery'],
    ['where is my package?', 'track'],
    ['I want to send something back', 'return-how'],
    ['whn do i get my mony back', 'refund'],
    ['can I pay by credit card', 'payment'],
    ['is delivery free', 'shipping-costs'],
    ['cancel my order', 'cancel'],
    ['I moved, change the address of my order', 'address-change'],
    ['my tent arrived damaged', 'warranty'],
    ['do you sell vouchers', 'gift-card'],
    ['where can I find the bill', 'invoice-copy'],
    ['how do I wash my raincoat', 'Caring for rain jackets'],
    ['how much does a new zip cost', 'repairs'],
    ['how long does a repair take', 'repairs'],
    ['do you mend seams in your own workshop', 'Repairs'],
    ['returns', 'eturn'],
    ['what water column should a tent have', 'Choosing a tent'],
    ['is your down recycled', 'Where our things come from'],
  ])('answers %j with %s', async (question, expected) => {
    expect(await answer(question)).toContain(expected);
  });

  it.each(['Who won the world cup?', 'What is the weather like tomorrow?', 'Tell me a joke about penguins'])(
    'does not answer %j',
    async (question) => {
      expect(await answer(question)).toBe('nothing');
    },
  );

  it('has four commands, a form with several field types, and initial buttons', async () => {
    const { rows: commands } = await pool.query<{ command: string }>(
      'SELECT command FROM bots.shortcuts WHERE bot_id = $1 ORDER BY display_order',
      [bot.id],
    );
    expect(commands.map(({ command }) => command)).toEqual(['/returns', '/track', '/contact', '/human']);
    const { rows: forms } = await pool.query<{ fields: { type: string }[] }>(
      'SELECT fields FROM bots.forms WHERE bot_id = $1',
      [bot.id],
    );
    expect(forms[0]!.fields.map(({ type }) => type)).toEqual(['text', 'email', 'phone', 'select', 'date', 'textarea']);
    const { rows: buttons } = await pool.query<{ label: string }>(
      'SELECT label FROM bots.faqs WHERE bot_id = $1 AND label IS NOT NULL ORDER BY display_order',
      [bot.id],
    );
    expect(buttons.map(({ label }) => label)).toEqual([
      'Opening hours',
      'Delivery time',
      'Track my order',
      'Return something',
      'Ways to pay',
    ]);
  });
});
