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
    ['a word that means the same', 'cost of a room', 'price'],
    ['a phrase of words that say nothing alone', 'how much is a room', 'price'],
    ['a kind for what it is a kind of', 'can i bring my dog', 'pets'],
    ['its own word before a kind', 'is the cat friendly', 'cat'],
    ['a word that goes with the subject', 'are you open at the weekend', 'hours'],
    ['a word that is misspelled', 'chrage for a room', 'price'],
    ['a number that nobody wrote', 'price of a room for 17 nights', 'price'],
    ['words of any talk that nobody wrote', 'what price for my sister', 'price'],
  ])('finds %s', async (_, question, id) => {
    expect(await search.seen(hotel, question)).toEqual([id]);
  });

  it.each(['can i bring my piano', 'how much is a helicopter', 'is there a harbour for my yacht'])(
    'finds nothing about a subject that nobody wrote of: %s',
    async (question) => {
      expect(await search.seen(hotel, question)).toEqual([]);
    },
  );

  it('finds what the last part of a compound is called', async () => {
    const bot = await search.bot('nl', [faq('kosten', 'Wat zijn de kosten?'), faq('tijden', 'Wanneer komen jullie?')]);
    expect(await search.seen(bot, 'wat is het spoedtarief')).toEqual(['kosten']);
  });

  it('takes no question word for a form of another word', async () => {
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
