/** Target length of a passage in characters; a passage may be slightly longer. */
const TARGET_LENGTH = 800;
/** A paragraph up to this length is joined with the next one: it is a heading, or the line before a list. */
const TINY_LENGTH = 60;
/** A longer paragraph is split even if it has no sentence end, line break or space. */
const MAX_LENGTH = 1_000;
const SENTENCE_END = /(?<=[.!?…][)"'»”]?)\s+|(?<=[。！？।॥])|\n+/u;

/** Splits an article into passages in order. Passages are trimmed and not empty, and can be used as answers. */
export function passagesOf(body: string): string[] {
  const passages: string[] = [];
  let heading = '';
  const paragraphs = body
    .replace(/\r\n?/g, '\n')
    .split(/\n[^\S\n]*\n\s*/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '');
  for (const paragraph of paragraphs) {
    const whole = heading === '' ? paragraph : `${heading}\n${paragraph}`;
    if (whole.length <= TINY_LENGTH) {
      heading = whole;
      continue;
    }
    heading = '';
    passages.push(...(whole.length <= MAX_LENGTH ? [whole] : cut(whole)));
  }
  if (heading === '') return passages;
  const last = passages.pop();
  passages.push(last === undefined ? heading : `${last}\n${heading}`);
  return passages;
}

function cut(paragraph: string): string[] {
  const parts: string[] = [];
  let open = '';
  for (const sentence of paragraph.split(SENTENCE_END).flatMap(splitLong)) {
    if (open !== '' && open.length + sentence.length > TARGET_LENGTH) {
      parts.push(open);
      open = sentence;
    } else {
      open = open === '' ? sentence : `${open} ${sentence}`;
    }
  }
  if (open.trim() !== '') parts.push(open);
  return parts;
}

/** Splits a long sentence, at spaces if possible. */
function splitLong(sentence: string): string[] {
  const pieces: string[] = [];
  let rest = sentence.trim();
  while (rest.length > MAX_LENGTH) {
    const blank = rest.lastIndexOf(' ', TARGET_LENGTH);
    let at = blank > TARGET_LENGTH / 2 ? blank : TARGET_LENGTH;
    // Do not split a surrogate pair.
    if (/[\uD800-\uDBFF]/.test(rest.charAt(at - 1))) at -= 1;
    pieces.push(rest.slice(0, at).trimEnd());
    rest = rest.slice(at).trimStart();
  }
  if (rest !== '') pieces.push(rest);
  return pieces;
}
