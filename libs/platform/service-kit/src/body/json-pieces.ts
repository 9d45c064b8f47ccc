import { JSONParser, type JSONParserOptions } from '@streamparser/json';
import { FieldError } from '../field-error';
import { JsonStructure, type JsonLimits } from './json-structure';

/** Bytes that are parsed in one turn of the event loop: about 2 ms. */
export const JSON_PIECE_BYTES = 65_536;

interface JsonPiecesOptions extends Pick<JSONParserOptions, 'paths' | 'keepStack'>, JsonLimits {
  onValue: JSONParser['onValue'];
}

/**
 * Parses a JSON text in pieces, for texts with so many values that `JSON.parse` would block the event loop. The
 * caller checks that the text is UTF-8. Members are assigned, so a member `__proto__` is not an own property.
 */
export class JsonPieces {
  private readonly structure: JsonStructure;
  private readonly parser: JSONParser;

  constructor({ maxValues, maxStringBytes, onValue, ...options }: JsonPiecesOptions) {
    this.structure = new JsonStructure({ maxValues, maxStringBytes });
    this.parser = new JSONParser(options);
    this.parser.onValue = onValue;
  }

  /** Throws a FieldError. */
  add(piece: Uint8Array): void {
    this.structure.add(piece);
    try {
      if (!this.parser.isEnded) this.parser.write(piece);
      else if (Buffer.from(piece).toString('latin1').trim() !== '') throw notJson();
    } catch {
      throw notJson();
    }
  }

  /** Throws a FieldError if the text is not complete. */
  end(): void {
    if (!this.parser.isEnded) throw notJson();
  }
}

const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A byte order mark is allowed and is not part of the text. */
export function withoutByteOrderMark(octets: Uint8Array): Uint8Array {
  return BYTE_ORDER_MARK.equals(octets.subarray(0, BYTE_ORDER_MARK.length))
    ? octets.subarray(BYTE_ORDER_MARK.length)
    : octets;
}

export function notJson(): FieldError {
  return new FieldError('MALFORMED', 'The body is not valid JSON; send a JSON object.');
}
