import { CONFIRMATION } from './unsubscribe-pages';

/** `one-click`: request of a mail client (RFC 8058). `page`: a person submitted the form. */
export type UnsubscribeRequest = 'one-click' | 'page';

const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

/** Parses an urlencoded or multipart form; null if it does not request an unsubscribe. */
export function readUnsubscribeBody(mediaType: string, body: Buffer): UnsubscribeRequest | null {
  const text = body.toString('utf8');
  const holds = mediaType === 'multipart/form-data' ? inMultipart(text) : inUrlencoded(text);
  if (holds(ONE_CLICK)) return 'one-click';
  return holds(CONFIRMATION) ? 'page' : null;
}

interface Field {
  readonly name: string;
  readonly value: string;
}

function inUrlencoded(text: string): (field: Field) => boolean {
  const fields = new URLSearchParams(text);
  return ({ name, value }) => fields.get(name)?.toLowerCase() === value.toLowerCase();
}

/** A header line of a part contains the field name; the value is the line after the empty line. */
function inMultipart(text: string): (field: Field) => boolean {
  const lines = text.split(/\r?\n/);
  return ({ name, value }) => {
    const header = new RegExp(`^content-disposition:\\s*form-data;\\s*name="?${name}"?\\s*$`, 'i');
    const start = lines.findIndex((line) => header.test(line));
    const blank = start < 0 ? -1 : lines.indexOf('', start);
    return blank >= 0 && lines[blank + 1]?.toLowerCase() === value.toLowerCase();
  };
}
