import { poolOf } from '@heliograph/database';
import { Erasures, readPersonAddress } from '@heliograph/tenancy';
import { until } from '@heliograph/testing';
import { BotFixture, type Chat } from './bot-fixture';
import type { MadeBot } from './make-bot';

const KEYS = 'person-hash-key-of-the-tests-0123456789';
const FORM = {
  id: 'lead',
  title: 'Contact',
  fields: [
    { key: 'email', label: 'Email', type: 'email' },
    { key: 'phone', label: 'Phone', type: 'text' },
  ],
} as { id: string; title: string; fields: { key: string; label: string; type: 'email' | 'text' }[] };

describe('the erasure of a person', () => {
  let bots: BotFixture;
  beforeAll(async () => {
    bots = await BotFixture.start({ environment: { PERSON_HASH_KEYS: KEYS } });
  });
  afterAll(() => bots.stop());

  const submit = (chat: Chat, answers: object) => bots.postOn(chat, '/forms/lead/submissions', { answers });
  const erase = async (organizationId: string, address: string) => {
    const erasures = new Erasures(poolOf(bots.dataSource), { PERSON_HASH_KEYS: [KEYS] });
    const { id } = await bots.dataSource.transaction((transaction) =>
      erasures.request(transaction, organizationId, readPersonAddress(address)!, null),
    );
    await until('bot-runtime has finished', async () => {
      return !(await erasures.read(organizationId, id)).pending.includes('bot-runtime');
    });
  };
  const organizationOf = async ({ publicId }: MadeBot) =>
    (
      await bots.rows<{ id: string }>('SELECT organization_id AS id FROM bots.bots WHERE public_id = $1', [publicId])
    )[0]!.id;
  const countOf = async (table: string, chat: Chat, column = 'conversation_id') =>
    (await bots.rows(`SELECT 1 FROM bots.${table} WHERE ${column} = $1`, [chat.id])).length;

  it.each([
    ['email', 'ann@example.com', { email: 'Ann@Example.com' }],
    ['phone', '+919811111111', { email: 'x@example.com', phone: '+91 98111-11111' }],
  ])(
    'by %s deletes the contact, submissions and conversations, but no data of other persons',
    async (_, address, answers) => {
      const bot = await bots.bot({ forms: [FORM] });
      const foreignBot = await bots.bot({ forms: [FORM] });
      const chat = await bots.chat(bot.publicId, { message: 'My secret' });
      const bobs = await bots.chat(bot.publicId, { message: 'Hello' });
      const foreign = await bots.chat(foreignBot.publicId, { message: 'Hello' });
      expect((await submit(chat, answers)).status).toBe(201);
      expect((await submit(bobs, { email: 'bob@example.com' })).status).toBe(201);
      expect((await submit(foreign, answers)).status).toBe(201);
      await erase(await organizationOf(bot), address);

      expect([await countOf('submissions', chat), await countOf('messages', chat)]).toEqual([0, 0]);
      expect(await countOf('conversations', chat, 'id')).toBe(0);
      for (const retained of [bobs, foreign]) {
        expect(await countOf('submissions', retained)).toBe(1);
        expect(await countOf('messages', retained)).toBeGreaterThan(1);
      }
      const left = await bots.rows('SELECT email, phone FROM bots.contacts WHERE organization_id = $1', [
        await organizationOf(bot),
      ]);
      expect(JSON.stringify(left)).not.toContain(address);
      expect((await bots.on(chat, '/messages')).status).toBe(401);
      // A repeated event has no effect.
      await erase(await organizationOf(bot), address);
    },
  );
});
