import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import type { Inline } from './inline-text';
import { parseMarkdown, parsePlain, plainTextOf, type Block } from './markdown';

const inline = (source: string): Inline[] => {
  const [block] = parseMarkdown(source);
  return block?.kind === 'paragraph' ? (block.lines[0] ?? []) : [];
};
const text = (value: string): Inline => ({ kind: 'text', text: value });
const link = (href: string, label: string): Inline => ({ kind: 'link', href, children: [text(label)] });

function links(blocks: Block[]): string[] {
  const of = (inlines: Inline[]): string[] =>
    inlines.flatMap((one) => [
      ...(one.kind === 'link' ? [one.href] : []),
      ...('children' in one ? of(one.children) : []),
    ]);
  return blocks.flatMap((block) => (block.kind === 'list' ? block.items : block.lines).flatMap(of));
}

describe('the Markdown of messages', () => {
  it('supports paragraphs and line breaks', () => {
    expect(parseMarkdown('one\ntwo\n\nthree')).toEqual([
      { kind: 'paragraph', lines: [[text('one')], [text('two')]] },
      { kind: 'paragraph', lines: [[text('three')]] },
    ]);
  });

  it('supports bulleted and numbered lists, also with blank lines between the items', () => {
    expect(parseMarkdown('Take:\n- a\n- b\n\n3. c\n\n4. d')).toEqual([
      { kind: 'paragraph', lines: [[text('Take:')]] },
      { kind: 'list', isOrdered: false, start: 1, items: [[text('a')], [text('b')]] },
      { kind: 'list', isOrdered: true, start: 3, items: [[text('c')], [text('d')]] },
    ]);
  });

  it('supports strong text, emphasis, code and links, also nested', () => {
    expect(inline('a **b *c* d** `**e**` [f](https://x.example/)')).toEqual([
      text('a '),
      { kind: 'strong', children: [text('b '), { kind: 'emphasis', children: [text('c')] }, text(' d')] },
      text(' '),
      { kind: 'code', text: '**e**' },
      text(' '),
      link('https://x.example/', 'f'),
    ]);
  });

  it('keeps text that only resembles markup', () => {
    for (const plain of ['2 * 3 * 4', 'a*', '**', '`', '[a](b', '<b>a</b>', '# a', '> a', '---', '_a_']) {
      expect(inline(plain)).toEqual([text(plain)]);
    }
  });

  it('converts bare URLs to links without the punctuation after them', () => {
    expect(inline('See https://x.example/a_(b), or mailto:a@x.example.')).toEqual([
      text('See '),
      link('https://x.example/a_(b)', 'https://x.example/a_(b)'),
      text(', or '),
      link('mailto:a@x.example', 'mailto:a@x.example'),
      text('.'),
    ]);
  });

  it('supports only links with http, https, mailto and tel, in any notation', () => {
    const bad = [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      'java\tscript:alert(1)',
      '\u0001javascript:alert(1)',
      'javascript&colon;alert(1)',
      'data:text/html,<script>alert(1)</script>',
      'vbscript:msgbox(1)',
      'blob:https://x.example/1',
      'file:///etc/passwd',
      '//x.example',
      '/a',
      'https:x.example',
      'https:///x.example',
      'https:\\\\x.example',
      'http://',
      'mailto:',
      'ftp://x.example',
      'https://x.example/"onclick=alert(1)',
    ];
    for (const address of bad)
      expect(
        links(parseMarkdown(`[a](${address}) ${address}`).slice(0, 1)).filter(
          (href) => !/^https?:\/\/x\.example\/?/.test(href),
        ),
      ).toEqual([]);
    expect(
      links(parseMarkdown('[a](https://x.example) [b](tel:+49301) [c](mailto:a@x.example) [d](HTTP://x.example)')),
    ).toEqual(['https://x.example/', 'tel:+49301', 'mailto:a@x.example', 'http://x.example/']);
  });

  it('keeps every word of any text', () => {
    const words = fc.array(
      fc.constantFrom('*', '**', '`', '[', '](', ')', 'https://x.example', 'a', ' ', '\n', '- ', '1. ', '\u202e', '\0'),
    );
    fc.assert(
      fc.property(words, (parts) => {
        const source = parts.join('');
        const letters = (value: string) => value.replace(/https:\/\/x\.example\/?/g, '').replace(/[^a\u202e\0]/g, '');
        expect(letters(plainTextOf(source))).toBe(letters(source));
      }),
      { numRuns: 500 },
    );
  });

  it('is parsed in linear time, also with unclosed marks', () => {
    for (const part of ['*a ', '**a', '`', '[', '[a](', '*a **b ', 'https:// ', '- *']) {
      expectLinear(40_000, (size) => part.repeat(size / part.length), parseMarkdown);
    }
  });

  it('is not parsed in messages of visitors, except for URLs', () => {
    expect(parsePlain('**a**\n\n- https://x.example')).toEqual([
      {
        kind: 'paragraph',
        lines: [[text('**a**')], [], [text('- '), link('https://x.example/', 'https://x.example')]],
      },
    ]);
  });
});
