import { inflateSync } from 'node:zlib';

/** Returns the text of a PDF of pdfkit per page, in the order in which it was written, without positions. */
export function readPdf(pdf: Buffer): { pages: string[]; info: Record<string, string>; fonts: string[] } {
  const source = pdf.toString('latin1');
  const objects = new Map(
    [...source.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id = '', body = '']) => [id, body]),
  );
  const referred = (body: string, name: string) =>
    objects.get(new RegExp(`/${name} (\\d+) 0 R`).exec(body)?.[1] ?? '') ?? '';
  const pages = [...objects.values()].filter((body) => /\/Type \/Page\n/.test(body));
  const info = referred(source.slice(source.lastIndexOf('trailer')), 'Info');
  return {
    fonts: [...source.matchAll(/\/FontName \/(\S+)/g)].map(([, name = '']) => name),
    pages: pages.map((page) => {
      const fonts = new Map(
        [...referred(page, 'Resources').matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = '', id = '']) => [
          name,
          readCharacters(inflated(referred(objects.get(id) ?? '', 'ToUnicode'))),
        ]),
      );
      return readText(inflated(referred(page, 'Contents')), fonts);
    }),
    info: Object.fromEntries(
      [...info.matchAll(/^\/(\w+) (\d+) 0 R$/gm)].map(([, name = '', id = '']) => [
        name,
        readString(objects.get(id) ?? ''),
      ]),
    ),
  };
}

/** Decodes a PDF string: bytes, or UTF-16 after a byte order mark. */
function readString(literal: string): string {
  const octets = Buffer.from(literal.slice(1, -1).replaceAll(/\\([()\\])/g, '$1'), 'latin1');
  return octets[0] === 0xfe ? octets.subarray(2).swap16().toString('utf16le') : octets.toString('latin1');
}

function inflated(object: string): string {
  const stream = /stream\n([\s\S]*)\nendstream/.exec(object)?.[1] ?? '';
  return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
}

/** Returns the text of each glyph from the ToUnicode map. */
function readCharacters(map: string): string[] {
  return [...map.matchAll(/\[([^\]]*)\]/g)].flatMap(([, entries = '']) =>
    [...entries.matchAll(/<([^>]*)>/g)].map(([, hex = '']) =>
      Buffer.from(hex.replaceAll(' ', ''), 'hex').swap16().toString('utf16le'),
    ),
  );
}

function readText(content: string, fonts: Map<string, string[]>): string {
  let characters: string[] = [];
  let text = '';
  for (const [, font, array] of content.matchAll(/\/(F\d+) [\d.]+ Tf|\[(.*?)\] TJ/g)) {
    if (font) characters = fonts.get(font) ?? [];
    const glyphs = [...(array ?? '').matchAll(/<([^>]*)>/g)].flatMap(([, hex = '']) => hex.match(/.{4}/g) ?? []);
    text += glyphs.map((glyph) => characters[parseInt(glyph, 16)] ?? '').join('');
    if (array !== undefined) text += '\n';
  }
  return text;
}
