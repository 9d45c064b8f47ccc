import { isUtf8 } from 'node:buffer';
import { AppError } from '@heliograph/errors';

/** What every event of the processor has, whatever its type. */
export interface ProcessorCall {
  id: string;
  type: string;
  /** Seconds since 1970; null: the event does not say. */
  created: number | null;
  /** The payer that it concerns; null where it names none. */
  customer: string | null;
  /** The body, without blanks around it. */
  text: string;
}

type Fields = Record<string, unknown>;

const MAX_ID_LENGTH = 255;
const MAX_DEPTH = 100;
/** 2000-01-01 and 2100-01-01: what lies outside is not a time in seconds. */
const [EARLIEST, LATEST] = [946_684_800, 4_102_444_800];

/** Reads a body as an event of the processor. Throws INVALID_PAYLOAD with what is wrong. */
export function readEvent(bytes: Buffer): ProcessorCall {
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const body = parse(text);
  if (!isFields(body)) throw invalid('The body is not a JSON object.');
  assertStorable(body, text.includes('\\u'));
  const { id, object, type, created, data } = body;
  if (!isName(id)) throw invalid(`id must be text of 1 to ${MAX_ID_LENGTH} characters.`);
  if (object !== undefined && object !== 'event') throw invalid('object must be "event".');
  if (!isName(type)) throw invalid(`type must be text of 1 to ${MAX_ID_LENGTH} characters.`);
  if (created !== undefined && !isMoment(created)) throw invalid('created must be a time in whole Unix seconds.');
  if (!isFields(data) || !isFields(data['object'])) throw invalid('data.object must be an object.');
  return { id, type, created: created ?? null, customer: customerOf(data['object']), text: text.trim() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not JSON.');
  }
}

/** An id, or the customer itself where the processor was told to expand it. */
function customerOf({ customer }: Fields): string | null {
  const id = isFields(customer) ? customer['id'] : customer;
  return isName(id) ? id : null;
}

/**
 * Walks without recursion: depth is what a hostile body may have most of. Only text with escapes can hold what
 * PostgreSQL refuses, because the rest of it was valid UTF-8 and JSON.
 */
function assertStorable(body: Fields, hasEscapes: boolean): void {
  let level: unknown[] = [body];
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) throw invalid(`The body is nested deeper than ${MAX_DEPTH} levels.`);
    const below: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        if (hasEscapes) assertText(value);
      } else if (Array.isArray(value)) for (const item of value) below.push(item);
      else if (isFields(value)) {
        for (const key in value) {
          if (hasEscapes) assertText(key);
          below.push(value[key]);
        }
      }
    }
    level = below;
  }
}

function assertText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed()) throw invalid('The body has a NUL or half a surrogate pair in it.');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH;
}

function isMoment(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= EARLIEST && value < LATEST;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(what: string): AppError {
  return new AppError('INVALID_PAYLOAD', `${what} Send the event as the processor makes it.`);
}
