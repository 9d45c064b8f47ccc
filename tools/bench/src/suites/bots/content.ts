import { Random } from '@heliograph/bench-data';
import { ADJECTIVES, MATTERS, PEOPLE, PLACES, SENTENCES, SMALL_TALK, THINGS, UNANSWERABLE } from './texts';

export const FAQ_COUNT = THINGS.length * MATTERS.length;
const ARTICLES = 2_000;
const PARAGRAPHS_OF_EACH = 5;

export interface FaqText {
  id: string;
  question: string;
  answer: string;
  label: string | null;
}

/** The nth FAQ: every combination of a thing and a matter. */
export function faqText(number: number): FaqText {
  const [thing] = at(THINGS, Math.floor(number / MATTERS.length));
  const [question, , answer] = at(MATTERS, number);
  const label = number % 251 === 0 ? at(MATTERS, number)[0].replace('#', thing) : null;
  return { id: `faq_${number}`, question: question.replace('#', thing), answer: answer.replaceAll('#', thing), label };
}

export function* articles(): Generator<{ title: string; body: string }> {
  const random = new Random(1);
  for (let number = 0; number < ARTICLES; number++) {
    const paragraphs = Array.from({ length: PARAGRAPHS_OF_EACH }, () =>
      Array.from({ length: 3 + (random.nextInteger() % 3) }, () => sentence(random)).join(' '),
    );
    const title = `${at(ADJECTIVES, random.nextInteger())} notes on the ${at(THINGS, random.nextInteger())[0]} in ${at(PLACES, random.nextInteger())}, part ${number}`;
    yield { title, body: paragraphs.join('\n\n') };
  }
}

export interface Question {
  text: string;
  kind: 'literal' | 'paraphrased' | 'mistyped' | 'unanswerable' | 'small talk';
}

/** The nth question: of twenty, six are literal, six paraphrased, four mistyped, three unanswerable, one is small talk. */
export function question(number: number): Question {
  const random = new Random(number + 77);
  const share = number % 20;
  const faq = random.nextInteger() % FAQ_COUNT;
  if (share < 6) return { kind: 'literal', text: faqText(faq).question };
  if (share < 12) return { kind: 'paraphrased', text: paraphrase(faq, random) };
  if (share < 16) return { kind: 'mistyped', text: mistype(paraphrase(faq, random), random) };
  if (share < 19) return { kind: 'unanswerable', text: at(UNANSWERABLE, random.nextInteger()) };
  return { kind: 'small talk', text: at(SMALL_TALK, random.nextInteger()) };
}

function paraphrase(faq: number, random: Random): string {
  const [thing, otherWord] = at(THINGS, Math.floor(faq / MATTERS.length));
  const [, others] = at(MATTERS, faq);
  return at(others, random.nextInteger()).replace('#', random.nextInteger() % 3 === 0 ? otherWord : thing);
}

/** Omits, doubles or transposes one letter in up to two long words. */
function mistype(text: string, random: Random): string {
  const words = text.split(' ');
  for (let count = 0; count < 2; count++) {
    const index = random.nextInteger() % words.length;
    const word = words[index] ?? '';
    if (word.length < 5) continue;
    const position = 1 + (random.nextInteger() % (word.length - 2));
    const before = word.slice(0, position);
    const letter = word.charAt(position);
    const after = word.slice(position + 1);
    words[index] =
      [before + after, before + letter + letter + after, before + after.charAt(0) + letter + after.slice(1)][
        random.nextInteger() % 3
      ] ?? word;
  }
  return words.join(' ');
}

function sentence(random: Random): string {
  return at(SENTENCES, random.nextInteger())
    .replace('#', at(THINGS, random.nextInteger())[0])
    .replace('@', at(PLACES, random.nextInteger()))
    .replace('$', at(PEOPLE, random.nextInteger()))
    .replace('%', String(2 + (random.nextInteger() % 96)));
}

function at<T>(items: readonly T[], index: number): T {
  const item = items[index % items.length];
  if (item === undefined) throw new Error('There are no items to pick from.');
  return item;
}
