import { isGiven, listAt, objectAt, oneOf, textAt, type Fields } from './fields';
import { invalid } from './invalid';
import { countPlaceholders, countWords, samplesOf, startsOrEndsWithPlaceholder } from './placeholders';

const FORMATS = ['TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT', 'LOCATION', 'PRODUCT'] as const;
const MAX = { header: 60, body: 1_024, footer: 60, sample: 1_024, handle: 4_000 };

export function readHeader(what: string, header: Fields): Fields {
  const format = isGiven(header['format']) ? oneOf(`${what}.format`, header['format'], FORMATS) : 'TEXT';
  switch (format) {
    case 'TEXT':
      return { format, ...readHeaderText(what, header) };
    case 'LOCATION':
    case 'PRODUCT':
      return { format };
    default:
      return { format, example: { header_handle: [readHandle(`${what}.example`, header['example'])] } };
  }
}

function readHeaderText(what: string, header: Fields): Fields {
  const text = textAt(`${what}.text`, header['text'], MAX.header);
  if (/[\r\n]/.test(text)) throw invalid(`${what}.text`, 'must be a single line');
  const count = countPlaceholders(`${what}.text`, text);
  if (count > 1) throw invalid(`${what}.text`, 'must have at most one placeholder');
  if (count === 0) return { text };
  const given = exampleOf(what, header)?.['header_text'];
  const samples = isGiven(given) ? readSamples(`${what}.example.header_text`, given, count) : samplesOf(count);
  return { text, example: { header_text: samples } };
}

/** Reads the handle of a sample file for reviewers. Handles are issued by the provider's tools only. */
function readHandle(what: string, value: unknown): string {
  const handles = objectAt(what, value)['header_handle'];
  const [handle] = listAt(`${what}.header_handle`, handles, { min: 1, max: 1 });
  return textAt(`${what}.header_handle`, handle, MAX.handle);
}

export function readBodyText(what: string, body: Fields, maxCharacters = MAX.body): Fields {
  const text = textAt(`${what}.text`, body['text'], maxCharacters);
  const count = countPlaceholders(`${what}.text`, text);
  if (startsOrEndsWithPlaceholder(text)) {
    throw invalid(`${what}.text`, 'must not start or end with a placeholder. Add text before or after it');
  }
  if (countWords(text) < count) throw invalid(`${what}.text`, 'must contain more text for this number of placeholders');
  if (count === 0) return { text };
  const given = exampleOf(what, body)?.['body_text'];
  if (!isGiven(given)) return { text, example: { body_text: [samplesOf(count)] } };
  // The provider requires a nested list; a flat list is accepted too.
  const nested: unknown = Array.isArray(given) && Array.isArray(given[0]) ? given : [given];
  const [samples] = listAt(`${what}.example.body_text`, nested, { min: 1, max: 1 });
  return { text, example: { body_text: [readSamples(`${what}.example.body_text`, samples, count)] } };
}

export function readFooter(what: string, footer: Fields): Fields {
  const text = textAt(`${what}.text`, footer['text'], MAX.footer);
  if (countPlaceholders(`${what}.text`, text) > 0) throw invalid(`${what}.text`, 'must not contain placeholders');
  return { text };
}

function exampleOf(what: string, component: Fields): Fields | null {
  return isGiven(component['example']) ? objectAt(`${what}.example`, component['example']) : null;
}

function readSamples(what: string, value: unknown, count: number): string[] {
  return listAt(what, value, { min: count, max: count }).map((sample, index) =>
    textAt(`${what}[${index}]`, sample, MAX.sample),
  );
}
