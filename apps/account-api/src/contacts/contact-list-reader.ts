import { isUtf8 } from 'node:buffer';
import { AppError } from '@heliograph/errors';
import { FieldError, JSON_PIECE_BYTES, JsonPieces, withoutByteOrderMark } from '@heliograph/service-kit';

/** Maximum length of a text, above the limits of all fields. The parser blocks the event loop while it reads a text. */
const MAX_STRING_BYTES = 500_000;

/** Reads `{"contacts": [...], "options": {...}}` in pieces. */
export class ContactListReader {
  /** One line of JSON for each contact. The caller removes the lines. */
  readonly lines: string[] = [];
  options: unknown = {};

  /** Parses the body and yields after each piece. Throws INVALID_REQUEST. */
  *read(body: Uint8Array, pieceBytes: number = JSON_PIECE_BYTES): Generator<void> {
    const json = new JsonPieces({
      ...{ paths: ['$.contacts.*', '$.options'], keepStack: false, maxStringBytes: MAX_STRING_BYTES },
      onValue: ({ value, key, parent }) => {
        if (key === 'options' && !Array.isArray(parent)) this.options = value;
        else if (Array.isArray(parent)) this.lines.push(`${JSON.stringify(value)}\n`);
      },
    });
    if (!isUtf8(body)) throw new AppError('INVALID_REQUEST', 'The body is not valid UTF-8. Send JSON in UTF-8.');
    const octets = withoutByteOrderMark(body);
    try {
      for (let at = 0; at < octets.length; at += pieceBytes) {
        json.add(octets.subarray(at, at + pieceBytes));
        yield;
      }
      json.end();
    } catch (error) {
      throw error instanceof FieldError ? new AppError('INVALID_REQUEST', error.message, { cause: error }) : error;
    }
  }
}
