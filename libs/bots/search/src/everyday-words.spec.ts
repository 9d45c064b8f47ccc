import { SearchFixture, type TestBot } from './search.fixture';
import { languageWords } from './text/languages';

const faq = (id: string, title: string, body = 'Yes.') => ({ kind: 'faq' as const, id, title, phrasings: [], body });
const article = (id: string, title: string, body: string) => {
  return { kind: 'knowledge' as const, id, title, phrasings: [], body };
};

describe('the everyday words of a language', () => {
  let search: SearchFixture;
  let hotel: TestBot;
  beforeAll(async () => {
    search = await SearchFixture.start();
    hotel = await search.bot('en', [
      faq('pets', 'Are pets allowed?'),
      faq('cat', 'Is the house cat friendly?'),
      faq('price', 'What is the price of a room?', '80 euros a night.'),
      faq('hours', 'What are your opening hours?', 'From 9 to 17, Monday to Friday.'),
      article('wifi', 'Wi-Fi', 'The password of the wireless network is at the reception.'),
    ]);
  });
  afterAll(() => search.stop());

  it.each([
    ['a synonym', 'cost of a room', 'price'],
    ['a phrase of common words', 'how much is a room', 'price'],
    ['an item by a more specific word', 'can i bring my dog', 'pets'],
    ['an exact word before a more general word', 'is the cat friendly', 'cat'],
    ['a related word', 'are you open at the weekend', 'hours'],
    ['a misspelled word', 'chrage for a room', 'price'],
    ['an item in spite of an unknown number', 'price of a room for 17 nights', 'price'],
    ['an item in spite of unknown generic words', 'what price for my sister', 'price'],
  ])('find %s', async (_, question, id) => {
    expect(await search.seen(hotel, question)).toEqual([id]);
  });

  it.each(['can i bring my piano', 'how much is a helicopter', 'is there a harbour for my yacht'])(
    'find nothing for a subject without content: %s',
    async (question) => {
      expect(await search.seen(hotel, question)).toEqual([]);
    },
  );

  it('find the last part of a compound word', async () => {
    const bot = await search.bot('nl', [faq('kosten', 'Wat zijn de kosten?'), faq('tijden', 'Wanneer komen jullie?')]);
    expect(await search.seen(bot, 'wat is het spoedtarief')).toEqual(['kosten']);
  });

  it('do not match a question word with a form of another word', async () => {
    const bot = await search.bot('es', [faq('comer', '¿Dónde se puede comer?'), faq('pagar', '¿Cómo puedo pagar?')]);
    expect(await search.seen(bot, '¿Cómo funciona?')).toEqual([]);
    expect(await search.seen(bot, '¿cómo se paga?')).toEqual(['pagar']);
  });

  it.each(['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'nl', 'pt', 'sv'])('of %s are well formed', (code) => {
    const { classes, generic = '', synonyms } = languageWords(code)!;
    const listed = Object.values(classes).flatMap((words) => words.trim().split(/\s+/));
    expect(generic.trim().split(/\s+/).length).toBeGreaterThan(100);
    expect(listed.filter((word) => word !== word.toLowerCase())).toEqual([]);
    for (const line of synonyms) {
      const members = line.split(/ ?[:~] |\|/);
      expect([line, members.length > 1, members.every((member) => member === member.trim() && member !== '')]).toEqual([
        line,
        true,
        true,
      ]);
    }
    expect(new Set(synonyms).size).toBe(synonyms.length);
  });
});
