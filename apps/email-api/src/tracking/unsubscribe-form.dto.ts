import { IsIn, IsOptional } from 'class-validator';
import { CONFIRMATION } from './unsubscribe-pages';

/** `one-click`: request of a mail client (RFC 8058). `page`: a person submitted the form. */
export type UnsubscribeRequest = 'one-click' | 'page';

const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

export class UnsubscribeForm {
  /** Absent if the body does not request an unsubscribe. */
  @IsOptional()
  @IsIn(['one-click', 'page'] satisfies UnsubscribeRequest[])
  requested?: UnsubscribeRequest;
}

/** Converts an urlencoded or multipart form. */
export function normalizeUnsubscribe(body: Buffer, mediaType: string): UnsubscribeForm {
  const text = body.toString('utf8');
  const contains = mediaType === 'multipart/form-data' ? inMultipart(text) : inUrlencoded(text);
  if (contains(ONE_CLICK)) return { requested: 'one-click' };
  return contains(CONFIRMATION) ? { requested: 'page' } : {};
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
