import type { ComponentChildren, JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Inline } from '../../text/inline-text';
import { parseMarkdown, parsePlain, type Block } from '../../text/markdown';
import { useStrings } from '../chat-context';

/** Renders message text as nodes: Markdown for the bot and agents, plain text for the visitor. Never as HTML. */
export function RichText({ text, isPlain = false }: { text: string; isPlain?: boolean }): JSX.Element {
  const { newTab } = useStrings();
  const blocks = useMemo(() => (isPlain ? parsePlain(text) : parseMarkdown(text)), [text, isPlain]);
  return <div class="text">{blocks.map((block) => drawBlock(block, newTab))}</div>;
}

function drawBlock(block: Block, newTab: string): JSX.Element {
  if (block.kind === 'list') {
    const items = block.items.map((item) => <li dir="auto">{drawInline(item, newTab)}</li>);
    return block.isOrdered ? <ol start={block.start}>{items}</ol> : <ul>{items}</ul>;
  }
  return (
    <p dir="auto">
      {block.lines.map((line, index) => (
        <>
          {index > 0 && <br />}
          {drawInline(line, newTab)}
        </>
      ))}
    </p>
  );
}

function drawInline(inlines: Inline[], newTab: string): ComponentChildren {
  return inlines.map((inline) => {
    switch (inline.kind) {
      case 'text':
        return inline.text;
      case 'code':
        return <code>{inline.text}</code>;
      case 'strong':
        return <strong>{drawInline(inline.children, newTab)}</strong>;
      case 'emphasis':
        return <em>{drawInline(inline.children, newTab)}</em>;
      case 'link':
        return (
          <SafeAnchor href={inline.href} newTab={newTab}>
            {drawInline(inline.children, newTab)}
          </SafeAnchor>
        );
    }
  });
}

/** `href` must be checked by `safeLink`. */
export function SafeAnchor(props: { href: string; newTab: string; children: ComponentChildren }): JSX.Element {
  return (
    <a href={props.href} target="_blank" rel="noopener noreferrer">
      {props.children}
      <span class="hidden"> ({props.newTab})</span>
    </a>
  );
}
