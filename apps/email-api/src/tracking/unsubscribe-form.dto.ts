import { IsIn, IsOptional } from 'class-validator';
import { CONFIRMATION, UNDO } from './unsubscribe-pages';

/**
 * `one-click`: request of a mail client (RFC 8058). `page`: a person submitted the form. `undo`: a person submitted the
 * form that undoes the unsubscribe.
 */
export type UnsubscribeRequest = 'one-click' | 'page' | 'undo';

const ONE_CLICK = { name: 'List-Unsubscribe', value: 'One-Click' } as const;

export class UnsubscribeForm {
  /** Absent if the body requests nothing. */
  @IsOptional()
  @IsIn(['one-click', 'page', 'undo'] satisfies UnsubscribeRequest[])
  requested?: UnsubscribeRequest;
}

/** Converts an urlencoded or multipart form. */
export function normalizeUnsubscribe(body: Buffer, mediaType: string): UnsubscribeForm {
  const text = body.toString('utf8');
  const contains = mediaType === 'multipart/form-data' ? inMultipart(text) : inUrlencoded(text);
  if (contains(ONE_CLICK)) return { requested: 'one-click' };
  if (contains(CONFIRMATION)) return { requested: 'page' };
  return contains(UNDO) ? { requested: 'undo' } : {};
}

const PART_NAME = /^content-disposition\s*:\s*form-data\s*;(?:[^;]*;)*?\s*name\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i;

interface Field {
  readonly name: string;
  readonly value: string;
}

/** Clients end the body with a line break, although it is no part of the form. */
function inUrlencoded(text: string): (field: Field) => boolean {
  const fields = [...new URLSearchParams(text.trim())];
  return (field) => fields.some(([name, value]) => isField(field, name, value));
}

/** A header line of a part contains the field name; the value is the line after the empty line. */
function inMultipart(text: string): (field: Field) => boolean {
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.trim());
  return (field) =>
    lines.some((line, index) => {
      const [, quoted, bare] = PART_NAME.exec(line) ?? [];
      const name = quoted ?? bare;
      const blank = name === undefined ? -1 : lines.indexOf('', index);
      return name !== undefined && blank >= 0 && isField(field, name, lines[blank + 1] ?? '');
    });
}

function isField(expected: Field, name: string, value: string): boolean {
  return (
    name.trim().toLowerCase() === expected.name.toLowerCase() &&
    value.trim().toLowerCase() === expected.value.toLowerCase()
  );
}
