import { FieldError } from '../field-error';

const MAX_DEPTH = 32;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Members of one object: objects with many names are slow to build, to sort and to write. */
const MAX_MEMBERS = 20_000;

export interface JsonLimits {
  /** Default: no limit. */
  maxValues?: number | undefined;
  /** Bytes of one string. Default: no limit. */
  maxStringBytes?: number | undefined;
}

/**
 * Checks the nesting and the number of values of a JSON text, before it is parsed: the time of `JSON.parse` depends on
 * both far more than on the length. The text may come in pieces. Takes about 1 ns per byte. Checks nothing else of the
 * syntax.
 */
export class JsonStructure {
  /** Objects and arrays, and the commas between their members. */
  values = 0;
  private readonly maxValues: number;
  private readonly maxStringBytes: number;
  /** For each open object or array: the commas in an object; null in an array. */
  private readonly commas: (number | null)[] = [];
  private isInString = false;
  private isEscaped = false;
  private stringBytes = 0;

  constructor({ maxValues = Infinity, maxStringBytes = Infinity }: JsonLimits) {
    this.maxValues = maxValues;
    this.maxStringBytes = maxStringBytes;
  }

  /** Throws a FieldError for more than 32 levels, for more than 20,000 members of an object, and beyond the limits. */
  add(octets: Uint8Array): void {
    for (let at = this.isInString ? this.endOfString(octets, 0) : 0; at < octets.length; at++) {
      const octet = octets[at];
      if (octet === QUOTE) {
        this.isInString = true;
        this.stringBytes = 0;
        at = this.endOfString(octets, at + 1) - 1;
      } else if (octet === OPEN_ARRAY) this.open(null);
      else if (octet === OPEN_OBJECT) this.open(0);
      else if (octet === CLOSE_ARRAY || octet === CLOSE_OBJECT) this.commas.pop();
      else if (octet === COMMA) this.separate();
    }
  }

  /** The offset after the string that continues at `start`; the length if it does not end in this piece. */
  private endOfString(octets: Uint8Array, start: number): number {
    let isEscaped = this.isEscaped;
    let at = start;
    for (; at < octets.length; at++) {
      const octet = octets[at];
      if (isEscaped) isEscaped = false;
      else if (octet === BACKSLASH) isEscaped = true;
      else if (octet === QUOTE) {
        this.isInString = false;
        at++;
        break;
      }
    }
    this.isEscaped = isEscaped;
    this.stringBytes += at - start;
    if (this.stringBytes > this.maxStringBytes) {
      throw new FieldError('MALFORMED', `Send texts of at most ${shown(this.maxStringBytes)} bytes.`);
    }
    return at;
  }

  private open(commas: number | null): void {
    if (this.commas.push(commas) > MAX_DEPTH) {
      throw new FieldError('MALFORMED', `The JSON is nested too deeply; keep it within ${MAX_DEPTH} levels.`);
    }
    this.count();
  }

  private separate(): void {
    this.count();
    const commas = this.commas.at(-1) ?? null;
    if (commas === null) return;
    this.commas[this.commas.length - 1] = commas + 1;
    if (commas + 1 < MAX_MEMBERS) return;
    throw new FieldError('TOO_MANY_FIELDS', `Send at most ${shown(MAX_MEMBERS)} fields in one object.`);
  }

  private count(): void {
    if (++this.values <= this.maxValues) return;
    throw new FieldError('TOO_MANY_FIELDS', `Send at most ${shown(this.maxValues)} values in one call.`);
  }
}

function shown(number: number): string {
  return number.toLocaleString('en-US');
}
