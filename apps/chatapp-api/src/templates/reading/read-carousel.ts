import { listAt, objectAt, oneOf, type Fields } from './fields';
import { invalid } from './invalid';
import { readButtons } from './read-buttons';
import { readBodyText, readHeader } from './read-texts';

const MAX = { cards: 10, body: 160, buttons: 2 };
const CARD_COMPONENTS = ['HEADER', 'BODY', 'BUTTONS'] as const;
const CARD_HEADERS: unknown[] = ['IMAGE', 'VIDEO', 'PRODUCT'];

/** Reads the cards of a carousel. All cards must have the same components, the same header format and the same buttons. */
export function readCarousel(what: string, { cards }: Fields): Fields {
  const read = listAt(`${what}.cards`, cards, { min: 1, max: MAX.cards }).map((card, index) =>
    readCard(`${what}.cards[${index}]`, objectAt(`${what}.cards[${index}]`, card)),
  );
  const [first, ...others] = read.map(structureOf);
  if (others.some((structure) => structure !== first)) {
    throw invalid(`${what}.cards`, 'must all have the same components, header format and types of buttons');
  }
  return { cards: read.map((components) => ({ components })) };
}

function readCard(what: string, card: Fields): Fields[] {
  const parts = new Map<string, Fields>();
  for (const [index, component] of listAt(`${what}.components`, card['components'], { min: 1, max: 3 }).entries()) {
    const at = `${what}.components[${index}]`;
    const fields = objectAt(at, component);
    const type = oneOf(`${at}.type`, fields['type'], CARD_COMPONENTS);
    if (parts.has(type)) throw invalid(`${what}.components`, `must contain one ${type}`);
    parts.set(type, { type, ...readComponent(type, at, fields) });
  }
  if (!parts.has('HEADER')) throw invalid(`${what}.components`, 'must contain a HEADER');
  return CARD_COMPONENTS.flatMap((type): Fields[] => {
    const part = parts.get(type);
    return part ? [part] : [];
  });
}

function readComponent(type: (typeof CARD_COMPONENTS)[number], what: string, fields: Fields): Fields {
  if (type === 'HEADER') {
    const header = readHeader(what, fields);
    if (CARD_HEADERS.includes(header['format'])) return header;
    throw invalid(`${what}.format`, 'must be IMAGE, VIDEO or PRODUCT in a card');
  }
  if (type === 'BODY') return readBodyText(what, fields, MAX.body);
  const buttons = readButtons(`${what}.buttons`, fields['buttons']);
  if (buttons.length > MAX.buttons) throw invalid(`${what}.buttons`, `must be a list of 1 to ${MAX.buttons} in a card`);
  return { buttons };
}

function structureOf(components: Fields[]): string {
  return JSON.stringify(
    components.map(({ type, format, buttons }) => [
      type,
      format,
      ...((buttons ?? []) as Fields[]).map((button) => button['type']),
    ]),
  );
}
