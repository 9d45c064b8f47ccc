import { readHeaderFields, withoutComments, type HeaderFields } from './header-fields';

/** A mail or a MIME part. Octets are represented as Latin-1 characters. */
export interface MimePart {
  fields: HeaderFields;
  /** Lower case; `text/plain` by default. */
  type: string;
  boundary: string | null;
  /** The body with its transfer encoding. */
  body: string;
}

/** A notification has three parts; mailing lists and gateways may add a few. */
const MAX_PARTS = 20;
const MAX_BOUNDARY_LENGTH = 200;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i;
const PADDING = /[ \t]*\r?(?:\n|$)/y;

export function readPart(text: string): MimePart {
  const { fields, end } = readHeaderFields(text);
  const contentType = withoutComments(fields.get('content-type') ?? '');
  const type = /^[^\s;]+/.exec(contentType)?.[0].toLowerCase() ?? 'text/plain';
  const [, quoted, bare] = (type.startsWith('multipart/') && BOUNDARY.exec(contentType)) || [];
  const boundary = quoted?.replaceAll(/\\(.)/g, '$1') ?? bare ?? '';
  const isUsable = boundary !== '' && boundary.length <= MAX_BOUNDARY_LENGTH;
  return { fields, type, boundary: isUsable ? boundary : null, body: text.slice(end) };
}

/** Yields the parts of a multipart body (RFC 2046, 5.1.1), up to a limit. */
export function* partsOf({ body, boundary }: MimePart): Generator<MimePart> {
  if (boundary === null) return;
  let delimiter = findDelimiter(body, boundary, 0);
  for (let count = 0; delimiter && !delimiter.isLast && count < MAX_PARTS; count++) {
    const next = findDelimiter(body, boundary, delimiter.end);
    yield readPart(body.slice(delimiter.end, next?.start));
    delimiter = next;
  }
}

interface Delimiter {
  /** Offset of the preceding line break, which is part of the delimiter. */
  start: number;
  end: number;
  isLast: boolean;
}

function findDelimiter(body: string, boundary: string, from: number): Delimiter | null {
  const line = `--${boundary}`;
  for (let at = body.indexOf(line, from); at >= 0; at = body.indexOf(line, at + line.length)) {
    if (at > 0 && body[at - 1] !== '\n') continue;
    const isLast = body.startsWith('--', at + line.length);
    PADDING.lastIndex = at + line.length + (isLast ? 2 : 0);
    // If another character follows, this is the prefix of a longer boundary of a nested part.
    if (!PADDING.test(body)) continue;
    return { start: startOfBreak(body, at, from), end: PADDING.lastIndex, isLast };
  }
  return null;
}

function startOfBreak(body: string, at: number, from: number): number {
  if (at === 0) return 0;
  return Math.max(from, body[at - 2] === '\r' ? at - 2 : at - 1);
}

/** Decodes the transfer encoding of the body. */
export function decodedBody({ fields, body }: MimePart): string {
  switch (withoutComments(fields.get('content-transfer-encoding') ?? '').toLowerCase()) {
    case 'base64':
      return Buffer.from(body, 'base64').toString('latin1');
    case 'quoted-printable':
      return body
        .replaceAll(/=[ \t]*\r?\n/g, '')
        .replaceAll(/=([0-9a-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    default:
      return body;
  }
}
