import { FieldError } from './field-error';

const MAX_DEPTH = 32;
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Checks the nesting and the number of values of a JSON text, before it is parsed: the time of `JSON.parse` depends on
 * both far more than on the length. The text may come in pieces. Takes about 1 ns per byte. Checks nothing else of the
 * syntax.
 */
export class JsonStructure {
  private depth = 0;
  /** Objects and arrays, and the commas between their members. */
  values = 0;
  private isInString = false;
  private isEscaped = false;

  constructor(private readonly maxValues: number) {}

  /** Throws a FieldError for more than 32 levels or more than `maxValues` values. */
  add(octets: Uint8Array): void {
    for (let at = this.isInString ? this.endOfString(octets, 0) : 0; at < octets.length; at++) {
      const octet = octets[at];
      if (octet === QUOTE) {
        this.isInString = true;
        at = this.endOfString(octets, at + 1) - 1;
      } else if (octet === OPEN_ARRAY || octet === OPEN_OBJECT) this.open();
      else if (octet === CLOSE_ARRAY || octet === CLOSE_OBJECT) this.depth--;
      else if (octet === COMMA) this.count();
    }
  }

  /** The offset after the string that continues at `start`; the length if it does not end in this piece. */
  private endOfString(octets: Uint8Array, start: number): number {
    let isEscaped = this.isEscaped;
    for (let at = start; at < octets.length; at++) {
      const octet = octets[at];
      if (isEscaped) isEscaped = false;
      else if (octet === BACKSLASH) isEscaped = true;
      else if (octet === QUOTE) {
        this.isInString = this.isEscaped = false;
        return at + 1;
      }
    }
    this.isEscaped = isEscaped;
    return octets.length;
  }

  private open(): void {
    if (++this.depth > MAX_DEPTH) {
      throw new FieldError('MALFORMED', `The JSON is nested too deeply; keep it within ${MAX_DEPTH} levels.`);
    }
    this.count();
  }

  private count(): void {
    if (++this.values <= this.maxValues) return;
    const limit = this.maxValues.toLocaleString('en-US');
    throw new FieldError('TOO_MANY_FIELDS', `Send at most ${limit} values in one call.`);
  }
}
