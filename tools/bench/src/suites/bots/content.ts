import { ADJECTIVES, MATTERS, PEOPLE, PLACES, SENTENCES, SMALL_TALK, THINGS, UNANSWERABLE } from './texts';

export const FAQ_COUNT = THINGS.length * MATTERS.length;
const ARTICLES = 2_000;
const PARAGRAPHS_OF_EACH = 5;
export const PARAGRAPH_COUNT = ARTICLES * PARAGRAPHS_OF_EACH;

export interface FaqText {
  id: string;
  question: string;
  answer: string;
  label: string | null;
}

/** Of each thing each matter: the nth FAQ. */
export function faqText(number: number): FaqText {
  const [thing] = at(THINGS, Math.floor(number / MATTERS.length));
  const [question, , answer] = at(MATTERS, number);
  const label = number % 251 === 0 ? at(MATTERS, number)[0].replace('#', thing) : null;
  return { id: `faq_${number}`, question: question.replace('#', thing), answer: answer.replaceAll('#', thing), label };
}

export function* articles(): Generator<{ title: string; body: string }> {
  const next = numbers(1);
  for (let number = 0; number < ARTICLES; number++) {
    const paragraphs = Array.from({ length: PARAGRAPHS_OF_EACH }, () =>
      Array.from({ length: 3 + (next() % 3) }, () => sentence(next)).join(' '),
    );
    const title = `${at(ADJECTIVES, next())} notes on the ${at(THINGS, next())[0]} in ${at(PLACES, next())}, part ${number}`;
    yield { title, body: paragraphs.join('\n\n') };
  }
}

export interface Question {
  text: string;
  kind: 'right' | 'paraphrased' | 'mistyped' | 'unanswerable' | 'small talk';
}

/** What the nth visitor asks: of twenty, six word for word, six in other words, four with typing errors, three in vain. */
export function question(number: number): Question {
  const next = numbers(number + 77);
  const share = number % 20;
  const faq = next() % FAQ_COUNT;
  if (share < 6) return { kind: 'right', text: faqText(faq).question };
  if (share < 12) return { kind: 'paraphrased', text: paraphrase(faq, next) };
  if (share < 16) return { kind: 'mistyped', text: mistype(paraphrase(faq, next), next) };
  if (share < 19) return { kind: 'unanswerable', text: at(UNANSWERABLE, next()) };
  return { kind: 'small talk', text: at(SMALL_TALK, next()) };
}

function paraphrase(faq: number, next: () => number): string {
  const [thing, otherWord] = at(THINGS, Math.floor(faq / MATTERS.length));
  const [, others] = at(MATTERS, faq);
  return at(others, next()).replace('#', next() % 3 === 0 ? otherWord : thing);
}

/** One letter left out, doubled or exchanged with the next, in each of two long words. */
function mistype(text: string, next: () => number): string {
  const words = text.split(' ');
  for (let left = 2; left > 0; left--) {
    const index = next() % words.length;
    const word = words[index] ?? '';
    if (word.length < 5) continue;
    const place = 1 + (next() % (word.length - 2));
    const [before, letter, after] = [word.slice(0, place), word.charAt(place), word.slice(place + 1)];
    words[index] =
      [before + after, before + letter + letter + after, before + after.charAt(0) + letter + after.slice(1)][
        next() % 3
      ] ?? word;
  }
  return words.join(' ');
}

function sentence(next: () => number): string {
  return at(SENTENCES, next())
    .replace('#', at(THINGS, next())[0])
    .replace('@', at(PLACES, next()))
    .replace('$', at(PEOPLE, next()))
    .replace('%', String(2 + (next() % 96)));
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

/** Repeatable random numbers (mulberry32). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
