import { parseInline, parseLinks, type Inline } from './inline-text';

export type Block =
  /** Text with line breaks. */
  { kind: 'paragraph'; lines: Inline[][] } | { kind: 'list'; isOrdered: boolean; start: number; items: Inline[][] };

const BULLET = /^ {0,3}[-*•] +(?=\S)/;
const NUMBER = /^ {0,3}(\d{1,4})[.)] +(?=\S)/;

/**
 * Parses the Markdown subset of messages: paragraphs, line breaks, `-` and `1.` lists, strong, emphasis, code, links.
 * Everything else is text. The result contains no markup; the components render it node by node.
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
      // Blank lines between items do not end a list.
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

/** Text without markup, blank lines kept: messages of the visitor. */
export function parsePlain(source: string): Block[] {
  return [{ kind: 'paragraph', lines: source.replace(/\r\n?/g, '\n').split('\n').map(parseLinks) }];
}

/** The text of a message without markup, on one line. */
export function plainTextOf(source: string): string {
  const lines = parseMarkdown(source).flatMap((block) => (block.kind === 'list' ? block.items : block.lines));
  return lines.map(textOf).join(' ');
}

const textOf = (inlines: Inline[]): string =>
  inlines.map((inline) => ('children' in inline ? textOf(inline.children) : inline.text)).join('');
