/**
 * Character references that browsers accept without a semicolon (HTML standard, 13.5) unless `=` or a letter follows.
 */
const WITHOUT_SEMICOLON = new Set(
  (
    'AElig AMP Aacute Acirc Agrave Aring Atilde Auml COPY Ccedil ETH Eacute Ecirc Egrave Euml GT Iacute Icirc Igrave ' +
    'Iuml LT Ntilde Oacute Ocirc Ograve Oslash Otilde Ouml QUOT REG THORN Uacute Ucirc Ugrave Uuml Yacute aacute acirc ' +
    'acute aelig agrave amp aring atilde auml brvbar ccedil cedil cent copy curren deg divide eacute ecirc egrave eth ' +
    'euml frac12 frac14 frac34 gt iacute icirc iexcl igrave iquest iuml laquo lt macr micro middot nbsp not ntilde ' +
    'oacute ocirc ograve ordf ordm oslash otilde ouml para plusmn pound quot raquo reg sect shy sup1 sup2 sup3 szlig ' +
    'thorn times uacute ucirc ugrave uml uuml yacute yen yuml'
  ).split(' '),
);

const NAMED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['AMP', '&'],
  ['lt', '<'],
  ['LT', '<'],
  ['gt', '>'],
  ['GT', '>'],
  ['quot', '"'],
  ['QUOT', '"'],
  ['apos', "'"],
]);

const REFERENCE = /&(?:#x([0-9a-f]+)|#([0-9]+)|([a-z][a-z0-9]*))(;?)(=?)/gi;

/**
 * Decodes an `href` like a browser. Returns null if it contains a named reference that is unusual in a URL, such as
 * `&eacute;`; such a link is not tracked.
 */
export function decodeHref(value: string): string | null {
  let isReadable = true;
  const text = value.replace(
    REFERENCE,
    (whole, hex?: string, decimal?: string, name = '', semicolon = '', equals = '') => {
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16)) + equals;
      if (decimal !== undefined) return characterOf(Number.parseInt(decimal, 10)) + equals;
      const isReference = semicolon !== '' || (equals === '' && WITHOUT_SEMICOLON.has(name));
      if (!isReference) return whole;
      const character = NAMED.get(name);
      isReadable &&= character !== undefined;
      return (character ?? '') + equals;
    },
  );
  return isReadable ? text : null;
}

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : '\ufffd';
}
