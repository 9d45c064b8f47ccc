import { newId } from '@heliograph/database';
import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { findAnswers } from './finding/find-answers';
import { article, faq, SearchFixture, type TestBot } from './search.fixture';

describe('the search for answers', () => {
  let search: SearchFixture;
  let shop: TestBot;
  beforeAll(async () => {
    search = await SearchFixture.start();
    shop = await search.bot('en', [
      faq('How do I cancel an order?', 'Under My Orders.', [], 'cancel-order'),
      faq('How do I cancel my subscription?', 'Under Subscriptions.', [], 'cancel-subscription'),
      faq('What are your opening hours?', 'From 9 to 5.', ['When are you open?'], 'hours'),
      faq('How do I return an item?', 'With the label in the parcel.', [], 'return'),
      faq('How much does delivery cost?', 'Nothing at all.', [], 'delivery-cost'),
      faq('Do you accept PayPal?', 'Yes.', [], 'paypal'),
      article('Leather', 'Clean leather with a damp cloth and feed it with a balm twice a year.', 'leather'),
    ]);
  });
  afterAll(() => search.stop());

  it('returns a question of the owner with score 1, in any case and punctuation', async () => {
    for (const text of [
      'How do I cancel an order?',
      '  HOW do i CANCEL, an order!!! ',
      'ｈｏｗ do I cancel an order',
    ]) {
      const { faqs } = await search.find(shop, text);
      expect(faqs[0]).toEqual({
        kind: 'faq',
        id: 'cancel-order',
        title: 'How do I cancel an order?',
        text: 'Under My Orders.',
        passage: 0,
        score: 1,
      });
    }
  });

  it('returns an alternative phrasing of the owner with score 1', async () => {
    expect((await search.find(shop, 'when are you open')).faqs[0]).toMatchObject({ id: 'hours', score: 1 });
  });

  it('returns the passage of an article if no FAQ is good enough', async () => {
    const decision = await search.decide(shop, 'how do I clean leather');
    expect(decision).toMatchObject({ kind: 'answer', finding: { kind: 'knowledge', id: 'leather', passage: 0 } });
  });

  it('offers choices if a single word matches several FAQs, and answers if it matches one', async () => {
    expect((await search.seen(shop, 'cancel')).toSorted()).toEqual(['cancel-order', 'cancel-subscription']);
    expect((await search.decide(shop, 'cancel')).kind).toBe('choices');
    expect(await search.decide(shop, 'returns')).toMatchObject({ kind: 'answer', finding: { id: 'return' } });
  });

  it('finds nothing for greetings, thanks, symbols and empty texts', async () => {
    for (const text of ['hi', 'Hello!', 'thanks a lot', 'ok', '', '   ', '???', '👋', '\n', 'the', 'please']) {
      expect((await search.decide(shop, text)).kind).toBe('none');
    }
  });

  it.each(['cancel my hotel reservation', 'do you accept dogs', 'how much does a bicycle cost'])(
    'finds nothing for a question without content, although it shares words with content: %s',
    async (text) => {
      expect((await search.decide(shop, text)).kind).toBe('none');
    },
  );

  describe('with spelling mistakes', () => {
    it.each([
      ['cancle my subscription', 'cancel-subscription'],
      ['cancel my subscribtion', 'cancel-subscription'],
      ['opning hours', 'hours'],
      ['delivrey cost', 'delivery-cost'],
      ['do you accept payapl', 'paypal'],
    ])('finds the answer to: %s', async (text, id) => {
      expect(await search.seen(shop, text)).toContain(id);
    });

    it('does not match a different number, code or short word', async () => {
      const bot = await search.bot('en', [faq('What does error E1042 mean?'), faq('Is there a fee for the cat?')]);
      expect(await search.seen(bot, 'E1043')).toEqual([]);
      expect(await search.seen(bot, 'car')).toEqual([]);
      expect(await search.seen(bot, 'E1042')).toEqual(['What does error E1042 mean?']);
    });
  });

  describe('with synonyms of the bot', () => {
    const synonyms = [
      ['subscription', 'membership', 'monthly box'],
      ['leather', 'hide'],
    ];

    it('finds a word by its synonym', async () => {
      expect(await search.seen(shop, 'cancel membership')).not.toEqual(['cancel-subscription']);
      expect(await search.seen(shop, 'cancel membership', synonyms)).toEqual(['cancel-subscription']);
    });

    it('finds a word by a phrase, and by a misspelled synonym', async () => {
      expect(await search.seen(shop, 'cancel my monthly box', synonyms)).toEqual(['cancel-subscription']);
      expect(await search.seen(shop, 'cancel membershp', synonyms)).toEqual(['cancel-subscription']);
    });

    it('finds a phrase by a word', async () => {
      const bot = await search.bot('en', [
        faq('What is in the monthly box?', 'Tea.', [], 'box'),
        faq('Is tea healthy?'),
      ]);
      expect(await search.seen(bot, 'what is in the membership', synonyms)).toEqual(['box']);
    });

    it('applies the synonyms in the language of each bot', async () => {
      const german = await search.bot('de', [faq('Wie kündige ich mein Abonnement?', 'So.', [], 'abo')]);
      expect(await search.seen(german, 'Mitgliedschaft kündigen', [['Abonnement', 'Mitgliedschaft']])).toEqual(['abo']);
    });
  });

  it('never returns content of another bot', async () => {
    const items = [
      faq('What is the secret word?', 'Swordfish.', [], 'secret'),
      article('Secret words', 'The secret word is swordfish, today and tomorrow.', 'secrets'),
    ];
    const owner = await search.bot('en', items);
    const empty = await search.bot('en', [faq('Something else entirely?')]);
    expect((await search.find(owner, 'what is the secret word')).faqs).toHaveLength(1);
    for (const bot of [empty, shop, { id: newId(), locale: 'en' }]) {
      for (const text of ['what is the secret word', 'secret', 'swordfish', 'secrte wrod', 'secretive']) {
        const { faqs, knowledge } = await search.find(bot, text, [['word', 'secret']]);
        expect([...faqs, ...knowledge].filter(({ id }) => id.startsWith('secret'))).toEqual([]);
      }
    }
  });

  it('returns a long answer completely', async () => {
    const long = 'Step by step, and then another step. '.repeat(2_000);
    const bot = await search.bot('en', [faq('How is it done?', long, [], 'done'), article('Manual', long, 'manual')]);
    expect((await search.find(bot, 'How is it done?')).faqs[0]?.text).toBe(long);
  });

  it('finds a passage in the middle of an article of 200 kB', async () => {
    const filler = Array.from(
      { length: 1_500 },
      (_, at) => `Paragraph ${at} tells of daily matters and of nothing that anybody would ever look for in here.`,
    );
    filler.splice(
      700,
      0,
      'The emergency valve is behind the yellow panel in the basement; turn it clockwise to shut the water off.',
    );
    const body = `${filler.join('\n\n')}${'x'.repeat(60_000)}`;
    const bot = await search.bot('en', [article('Handbook of the house', body, 'handbook')]);
    const decision = await search.decide(bot, 'where is the emergency valve');
    expect(decision).toMatchObject({ kind: 'answer', finding: { id: 'handbook', passage: 700 } });
  });

  describe('in other languages', () => {
    it.each([
      ['de', 'Wie lade ich mein Guthaben auf?', 'guthaben aufladen'],
      ['de', 'Wie kündige ich meinen Vertrag?', 'vertrag kuendigen'],
      ['de', 'Kann ich die Rechnung auf Papier bekommen?', 'Papierrechnung'],
      ['fr', "Comment annuler l'abonnement ?", "je voudrais annuler mon abonnement s'il vous plaît"],
      ['es', '¿Cómo cambio mi contraseña?', 'cambiar contrasena'],
      ['pt-BR', 'Como faço para devolver um produto?', 'devolucao de produtos'],
      ['it', "Quanto costa l'abbonamento?", 'costo abbonamento'],
      ['nl', 'Hoe zeg ik mijn abonnement op?', 'abonnement opzeggen'],
      ['ru', 'Как отменить подписку?', 'хочу отменить мою подписку'],
      ['hi', 'पासवर्ड कैसे बदलें?', 'पासवर्ड बदलना है'],
      ['ar', 'كيف ألغي الاشتراك؟', 'أريد أن ألغي اشتراكي'],
      ['tr', 'Şifremi nasıl değiştiririm?', 'sifre degistirme'],
      ['pl', 'Jak zmienić hasło?', 'zmienic haslo'],
      ['ja', '返品するにはどうすればいいですか', '返品したい'],
      ['zh', '如何修改密码？', '我想修改密码'],
      ['th', 'ฉันจะเปลี่ยนรหัสผ่านได้อย่างไร', 'เปลี่ยนรหัสผ่าน'],
      ['ko', '비밀번호를 어떻게 변경하나요?', '비밀번호 변경'],
    ])('finds in %s: %s', async (locale, title, text) => {
      const bot = await search.bot(locale, [faq(title)]);
      expect(await search.seen(bot, text)).toEqual([title]);
    });
  });

  describe('with any text', () => {
    const odd = [
      'a'.repeat(4_000),
      '👩‍👩‍👧'.repeat(500),
      "& | ! ( ) : * ' \\ <-> ".repeat(200),
      '.*+?^${}()|[]\\'.repeat(280),
      'a\0b',
      '\uD800',
      "x'; DROP TABLE",
      '1/2 f/a k/b',
      'ab '.repeat(1_300),
      '密'.repeat(4_000),
      '%_%',
      '{}',
      '{"a"}',
      'क्'.repeat(2_000),
      '́'.repeat(4_000),
      'a-'.repeat(2_000),
      "a'".repeat(2_000),
    ];

    it.each(odd.map((text) => [JSON.stringify(text).slice(0, 30), text]))('does not fail for: %s', async (_, text) => {
      for (const locale of ['en', 'de', 'ja', 'hi', 'tr', 'xx', '', '__proto__', 'constructor']) {
        const { faqs, knowledge } = await search.find({ id: shop.id, locale }, text, [[text, text, 'order']]);
        for (const { score } of [...faqs, ...knowledge]) expect(score).toBeLessThanOrEqual(1);
      }
    });

    it('accepts the text as content', async () => {
      const bot = await search.bot(
        'en',
        odd.flatMap((text, at) => [faq(text, text, [text], `f${at}`), article(text, text, `k${at}`)]),
      );
      expect((await search.find(bot, 'ab')).faqs).toBeDefined();
    });

    it('never throws, and returns scores between 0 and 1', async () => {
      const word = fc.constantFrom(
        'cancel',
        'order',
        'my',
        'subscription',
        'how',
        'not',
        '42',
        'hours?',
        'leather',
        ',',
        'delivry',
      );
      const text = fc.oneof(
        fc.string({ unit: anyCodePoint, maxLength: 60 }),
        fc.array(word, { maxLength: 30 }).map((words) => words.join(' ')),
      );
      const groups = fc.array(fc.array(fc.oneof(word, fc.string({ maxLength: 10 })), { maxLength: 4 }), {
        maxLength: 4,
      });
      await fc.assert(
        fc.asyncProperty(text, groups, fc.constantFrom('en', 'de-AT', 'zh', 'pt'), async (asked, synonyms, locale) => {
          const found = await findAnswers(search.pool, { botId: shop.id, locale, text: asked, synonyms });
          for (const findings of [found.faqs, found.knowledge]) {
            for (const { score } of findings) {
              expect(score).toBeGreaterThanOrEqual(0);
              expect(score).toBeLessThanOrEqual(1);
            }
            expect(findings.map(({ score }) => score)).toEqual(
              findings.map(({ score }) => score).toSorted((a, b) => b - a),
            );
          }
        }),
        { numRuns: 150 },
      );
    });

    it('supports 10,000 synonyms, and uses them', async () => {
      const synonyms = Array.from({ length: 5_000 }, (_, at) => [`word${at}`, `other thing ${at}`]);
      synonyms.push(['membership', 'subscription']);
      expect(await search.seen(shop, 'cancel membership', synonyms)).toEqual(['cancel-subscription']);
      expect(await search.seen(shop, `${'word17 '.repeat(500)}`, synonyms)).toEqual([]);
    });
  });
});
