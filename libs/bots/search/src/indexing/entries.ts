import type { Language } from '../text/language';
import { isCorrectable } from '../text/spelling';
import type { Queryable } from '../text/stemmer';
import { tokensOf, writeToken, type Token } from '../text/tokens';
import { wordsOf } from '../text/words';
import { passagesOf } from './passages';

export type SearchKind = 'faq' | 'knowledge';

/** A searchable item: an FAQ or an article. */
export interface SearchItem {
  kind: SearchKind;
  /** The FAQ's public id or the article's uuid, unique within bot and kind. */
  id: string;
  /** The question, or the article's title. */
  title: string;
  /** Alternative phrasings of the question; FAQ only. */
  phrasings: string[];
  /** The answer, or the article's text. */
  body: string;
}

/** A row of the index: an FAQ or a passage of an article. Field names match `bot_search.put`. */
export interface EntryRow {
  kind: 'f' | 'k';
  item_id: string;
  passage: number;
  title: string;
  text: string;
  /** Tokens of the question and of each alternative phrasing, one per line; or tokens of the title. */
  forms: string;
  /** Content tokens of the first words of the answer, or of the passage. */
  body: string;
  /** Distinct lexemes of the postings. */
  lexemes: string[];
  /** A subset of `lexemes`: the first lexeme of each content word in the first forms of an FAQ. */
  asked: string[];
  /** Distinct words for spelling correction. */
  words: string[];
}

const MAX_PHRASINGS = 100;
const MAX_FORM_WORDS = 60;
const MAX_ANSWER_WORDS = 160;
const MAX_PASSAGE_WORDS = 600;
const MAX_JOINED_LENGTH = 24;
/** Number of forms of an FAQ whose document frequencies a question looks up. */
const RARITY_FORMS = 4;

/** The index rows of a set of items, and the stems of the words for spelling correction. */
export interface Entries {
  rows: EntryRow[];
  lexemesOf: Map<string, readonly string[]>;
}

/** Converts items to index rows: splits articles into passages, and texts into stemmed words. */
export async function entriesOf(from: Queryable, items: readonly SearchItem[], language: Language): Promise<Entries> {
  const drafts = items.flatMap((item) => draftsOf(item, language));
  const words = drafts.flatMap(({ forms, body }) => [...forms.flatMap((form) => [...form, ...joined(form)]), ...body]);
  const distinct = [...new Set(words)];
  const tokens = new Map<string, Token>();
  for (const [at, token] of (await tokensOf(from, distinct, language)).entries()) tokens.set(distinct[at] ?? '', token);
  const read = (form: readonly string[]): Token[] => form.flatMap((word) => tokens.get(word) ?? []);

  const lexemesOf = new Map<string, readonly string[]>();
  const rows = drafts.map(({ item, passage, text, forms, body }): EntryRow => {
    const formTokens = forms.map((form) => withJoined(form, tokens));
    const bodyTokens = read(body);
    const found = [...formTokens.flat(), ...bodyTokens.filter(isSearchable)];
    const misspelled = [...forms.flatMap(read), ...bodyTokens].filter(
      ({ bare, class: of }) => of === 'content' && isCorrectable(bare),
    );
    for (const { bare, lexemes } of misspelled) if (!lexemesOf.has(bare)) lexemesOf.set(bare, lexemes);
    return {
      kind: item.kind === 'faq' ? 'f' : 'k',
      item_id: item.id,
      passage,
      title: item.title,
      text,
      forms: formTokens.map((form) => form.map(writeToken).join(' ')).join('\n'),
      body: bodyTokens
        .filter(({ class: of }) => of === 'content')
        .map(writeToken)
        .join(' '),
      lexemes: [...new Set(found.flatMap(({ lexemes }) => lexemes))],
      asked: item.kind === 'faq' ? [...new Set(formTokens.slice(0, RARITY_FORMS).flatMap(rarities))] : [],
      words: [...new Set(misspelled.map(({ bare }) => bare))],
    };
  });
  return { rows, lexemesOf };
}

interface Draft {
  item: SearchItem;
  passage: number;
  text: string;
  forms: string[][];
  body: string[];
}

function draftsOf(item: SearchItem, language: Language): Draft[] {
  const form = (text: string) => wordsOf(text, language, MAX_FORM_WORDS);
  if (item.kind === 'faq') {
    const forms = [item.title, ...item.phrasings.slice(0, MAX_PHRASINGS)].map(form);
    return [{ item, passage: 0, text: item.body, forms, body: wordsOf(item.body, language, MAX_ANSWER_WORDS) }];
  }
  const forms = [form(item.title)];
  return passagesOf(item.body).map((text, passage) => {
    return { item, passage, text, forms, body: wordsOf(text, language, MAX_PASSAGE_WORDS) };
  });
}

const isSearchable = ({ class: of }: Token): boolean => of === 'content' || of === 'light';

/** The lexemes whose document frequencies determine the weights of a form. */
function rarities(form: readonly Token[]): string[] {
  return form.flatMap(({ class: of, lexemes }) => (of === 'content' ? lexemes.slice(0, 1) : []));
}

/** Adjacent words joined, so that "checkin" finds "check in". */
function joined(form: readonly string[]): string[] {
  return form.slice(1).flatMap((word, at) => {
    const pair = `${form[at] ?? ''}${word}`;
    return pair.length <= MAX_JOINED_LENGTH ? [pair] : [];
  });
}

/** The tokens of a form. A content word also gets the lexemes of its compound with the next word. */
function withJoined(form: readonly string[], tokens: ReadonlyMap<string, Token>): Token[] {
  return form.flatMap((word, at) => {
    const token = tokens.get(word);
    if (!token) return [];
    const next = form[at + 1];
    const pair = next === undefined ? undefined : tokens.get(word + next);
    const isPair = token.class === 'content' && pair?.class === 'content' && tokens.get(next ?? '')?.class !== 'ask';
    return isPair ? [{ ...token, lexemes: [...new Set([...token.lexemes, ...pair.lexemes])] }] : [token];
  });
}
