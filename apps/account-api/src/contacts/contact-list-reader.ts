import { AppError } from '@heliograph/errors';
import { FieldError, JsonStructure } from '@heliograph/service-kit';
import { JSONParser } from '@streamparser/json';

/** Reads `{"contacts": [...], "options": {...}}` in pieces. */
export class ContactListReader {
  /** One line of JSON for each contact; the caller takes them out. */
  readonly lines: string[] = [];
  options: unknown = {};
  private readonly structure = new JsonStructure(Infinity);
  private readonly parser = new JSONParser({ paths: ['$.contacts.*', '$.options'], keepStack: false });

  constructor() {
    this.parser.onValue = ({ value, key, parent }) => {
      if (key === 'options' && !Array.isArray(parent)) this.options = value;
      else if (Array.isArray(parent)) this.lines.push(`${JSON.stringify(value)}\n`);
    };
  }

  /** Throws INVALID_REQUEST. */
  add(piece: Uint8Array): void {
    try {
      this.structure.add(piece);
      if (this.parser.isEnded) refuseText(piece);
      else this.parser.write(piece);
    } catch (error) {
      throw error instanceof FieldError ? new AppError('INVALID_REQUEST', error.message) : notJson(error);
    }
  }

  /** Throws INVALID_REQUEST if the document is not complete. */
  end(): void {
    if (!this.parser.isEnded) throw notJson();
  }
}

export function notJson(cause?: unknown): AppError {
  return new AppError('INVALID_REQUEST', 'The body is not valid JSON in UTF-8.', { cause });
}

/** Only white space may follow the document. */
function refuseText(piece: Uint8Array): void {
  if (Buffer.from(piece).toString('latin1').trim() !== '') throw notJson();
}
