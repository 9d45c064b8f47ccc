import { Parser } from 'htmlparser2';

/** Longer styles are cut, because the declarations that hide an element are short. */
const MAX_STYLE_LENGTH = 2_000;
const ZERO = /^0*\.?0+(?:px|pt|em|rem|ex|ch|%|vh|vw)?$/;

/** Font size and visibility apply to the text of an element and its descendants until one of them changes the value. */
interface Inherited {
  hasNoSize: boolean;
  isInvisible: boolean;
}

const VISIBLE: Inherited = { hasNoSize: false, isInvisible: false };

/**
 * Removes what mail clients hide: elements with `hidden`, `display: none`, `mso-hide: all`, no height or no opacity, and
 * text without a font size or visibility. Style sheets are not evaluated.
 */
export function visibleHtml(html: string): string {
  const pieces: string[] = [];
  let end = 0;
  const cut = (from: number, until: number): void => {
    pieces.push(html.slice(end, from));
    end = Math.max(end, until);
  };
  const inherited: Inherited[] = [];
  /** Start of the hidden element that is open, and the number of open elements from it on. */
  let hiddenFrom = 0;
  let depth = 0;
  const parser = new Parser({
    onopentag(_name, attributes) {
      if (depth > 0) {
        depth++;
        return;
      }
      const styles = stylesOf(attributes['style'] ?? '');
      if ('hidden' in attributes || isHidden(styles)) {
        hiddenFrom = parser.startIndex;
        depth = 1;
      } else inherited.push(inheritedBy(styles, inherited.at(-1) ?? VISIBLE));
    },
    onclosetag(_name, isImplied) {
      if (depth === 0) {
        inherited.pop();
        return;
      }
      depth--;
      if (depth > 0) return;
      // A tag that closes other elements is not a part of them; a void element closes itself.
      const isClosedByOther = isImplied && parser.startIndex !== hiddenFrom;
      cut(hiddenFrom, isClosedByOther ? parser.startIndex : parser.endIndex + 1);
    },
    ontext() {
      const { hasNoSize, isInvisible } = inherited.at(-1) ?? VISIBLE;
      if (depth === 0 && (hasNoSize || isInvisible)) cut(parser.startIndex, parser.endIndex + 1);
    },
    onend() {
      if (depth > 0) cut(hiddenFrom, html.length);
    },
  });
  parser.end(html);
  pieces.push(html.slice(end));
  return pieces.join('');
}

/** The declarations of a style attribute; the last one of a property applies. */
function stylesOf(style: string): ReadonlyMap<string, string> {
  const styles = new Map<string, string>();
  for (const declaration of style.slice(0, MAX_STYLE_LENGTH).split(';')) {
    const colon = declaration.indexOf(':');
    if (colon < 0) continue;
    const value = declaration.slice(colon + 1).replace(/!\s*important/i, '');
    styles.set(declaration.slice(0, colon).trim().toLowerCase(), value.trim().toLowerCase());
  }
  return styles;
}

function isHidden(styles: ReadonlyMap<string, string>): boolean {
  const clipped = styles.get('overflow') === 'hidden' && isZero(styles.get('height'));
  return (
    styles.get('display') === 'none' ||
    styles.get('mso-hide') === 'all' ||
    isZero(styles.get('max-height')) ||
    isZero(styles.get('opacity')) ||
    clipped
  );
}

function inheritedBy(styles: ReadonlyMap<string, string>, parent: Inherited): Inherited {
  const size = styles.get('font-size');
  const visibility = styles.get('visibility');
  if (size === undefined && visibility === undefined) return parent;
  return {
    hasNoSize: size === undefined || size === 'inherit' ? parent.hasNoSize : isZero(size),
    isInvisible:
      visibility === undefined || visibility === 'inherit'
        ? parent.isInvisible
        : visibility === 'hidden' || visibility === 'collapse',
  };
}

function isZero(value: string | undefined): boolean {
  return value !== undefined && ZERO.test(value);
}
