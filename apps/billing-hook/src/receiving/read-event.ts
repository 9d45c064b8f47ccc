import { isUtf8 } from 'node:buffer';
import { AppError } from '@heliograph/errors';

/** Properties of every event of the processor. */
export interface ProcessorCall {
  id: string;
  type: string;
  /** Unix seconds; null if the event has no timestamp. */
  created: number | null;
  /** Customer id of the payer; null if the event contains no customer. */
  customer: string | null;
  /** The body without surrounding whitespace. */
  text: string;
}

type Fields = Record<string, unknown>;

const MAX_ID_LENGTH = 255;
const MAX_DEPTH = 100;
/** 2000-01-01 and 2100-01-01. Values outside this range are not Unix seconds. */
const EARLIEST = 946_684_800;
const LATEST = 4_102_444_800;

/** Parses and validates the body of an event. Throws INVALID_PAYLOAD with the reason. */
export function readEvent(bytes: Buffer): ProcessorCall {
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8.');
  const text = bytes.toString('utf8');
  const body = parse(text);
  if (!isFields(body)) throw invalid('The body is not a JSON object.');
  assertStorable(body, text.includes('\\u'));
  const { id, object, type, created, data } = body;
  if (!isName(id)) throw invalid(`id must be a string of 1 to ${MAX_ID_LENGTH} characters.`);
  if (object !== undefined && object !== 'event') throw invalid('object must be "event".');
  if (!isName(type)) throw invalid(`type must be a string of 1 to ${MAX_ID_LENGTH} characters.`);
  if (created !== undefined && created !== null && !isUnixSeconds(created))
    throw invalid('created must be an integer number of Unix seconds.');
  if (!isFields(data) || !isFields(data['object'])) throw invalid('data.object must be an object.');
  return { id, type, created: created ?? null, customer: customerOf(data['object']), text: text.trim() };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid('The body is not valid JSON.');
  }
}

/** Reads an id, or the id of the customer object if the processor is configured to expand customers. */
function customerOf({ customer }: Fields): string | null {
  const id = isFields(customer) ? customer['id'] : customer;
  return isName(id) ? id : null;
}

/**
 * Traverses without recursion, because malicious input can be deeply nested. Only strings with escapes can contain
 * characters that PostgreSQL rejects, because the body was decoded as strict UTF-8.
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
  if (text.includes('\0') || !text.isWellFormed())
    throw invalid('The body contains a NUL character or an unpaired surrogate.');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length > 0 && value.length <= MAX_ID_LENGTH;
}

function isUnixSeconds(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= EARLIEST && value < LATEST;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function invalid(what: string): AppError {
  return new AppError('INVALID_PAYLOAD', `${what} Send the event exactly as the processor creates it.`);
}
