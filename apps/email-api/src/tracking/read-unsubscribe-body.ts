import { CONFIRMATION } from './unsubscribe-pages';

/** `one-click`: a mail program asks (RFC 8058). `page`: a person pressed the button. */
export type UnsubscribeRequest = 'one-click' | 'page';

const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

/** Null when the body asks for nothing. Takes forms, urlencoded and multipart. */
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

/** One line of a part's headers names the field, an empty line ends them, the next is the value. */
function inMultipart(text: string): (field: Field) => boolean {
  const lines = text.split(/\r?\n/);
  return ({ name, value }) => {
    const header = new RegExp(`^content-disposition:\\s*form-data;\\s*name="?${name}"?\\s*$`, 'i');
    const start = lines.findIndex((line) => header.test(line));
    const blank = start < 0 ? -1 : lines.indexOf('', start);
    return blank >= 0 && lines[blank + 1]?.toLowerCase() === value.toLowerCase();
  };
}
