import { parseInline, parseLinks, type Inline } from './inline-text';

export type Block =
  /** Lines, which are broken where the text is. */
  { kind: 'paragraph'; lines: Inline[][] } | { kind: 'list'; isOrdered: boolean; start: number; items: Inline[][] };

const BULLET = /^ {0,3}[-*•] +(?=\S)/;
const NUMBER = /^ {0,3}(\d{1,4})[.)] +(?=\S)/;

/**
 * The markdown subset of messages: paragraphs, line breaks, `-` and `1.` lists, strong, emphasis, code, links. Anything
 * else is text. The result holds no markup: it is drawn node by node.
 */
export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  let isBlank = true;
  for (const line of source.replace(/\r\n?/g, '\n').split('\n')) {
    const previous = isBlank ? undefined : lastBlock(blocks);
    const number = NUMBER.exec(line);
    const mark = number ?? BULLET.exec(line);
    if (line.trim() === '') {
      isBlank = true;
      continue;
    }
    if (mark) {
      const item = parseInline(line.slice(mark[0].length));
      // Items may be set apart by blank lines and still are one list.
      const list = lastBlock(blocks);
      if (list?.kind === 'list' && list.isOrdered === (number !== null)) list.items.push(item);
      else blocks.push({ kind: 'list', isOrdered: number !== null, start: Number(number?.[1] ?? 1), items: [item] });
    } else if (previous?.kind === 'paragraph') previous.lines.push(parseInline(line));
    else blocks.push({ kind: 'paragraph', lines: [parseInline(line)] });
    isBlank = false;
  }
  return blocks;
}

const lastBlock = (blocks: Block[]): Block | undefined => blocks[blocks.length - 1];

/** Text without markup, blank lines kept: what a visitor writes. */
export function parsePlain(source: string): Block[] {
  return [{ kind: 'paragraph', lines: source.replace(/\r\n?/g, '\n').split('\n').map(parseLinks) }];
}

/** What a message says, without its markup and on one line. */
export function plainTextOf(source: string): string {
  const lines = parseMarkdown(source).flatMap((block) => (block.kind === 'list' ? block.items : block.lines));
  return lines.map(textOf).join(' ');
}

const textOf = (inlines: Inline[]): string =>
  inlines.map((inline) => ('children' in inline ? textOf(inline.children) : inline.text)).join('');
