import { MIMEType } from 'node:util';

/** Maximum size of the headers of one part, which include the name of the file. */
export const MAX_PART_HEADER_BYTES = 4_096;

const CRLF = Buffer.from('\r\n');
const END_OF_HEADERS = Buffer.from('\r\n\r\n');
const END_OF_FORM = Buffer.from('--');
const NOTHING = Buffer.alloc(0);

/** Measures the headers of the parts of a multipart body that arrives in chunks, because the parser allows 16 KiB. */
export class PartHeaders {
  private readonly delimiter: Buffer;
  /** The end of the last chunk, in which a delimiter or the end of headers may begin. */
  private rest: Buffer = CRLF;
  private state: 'content' | 'delimiter' | 'headers' | 'end' = 'content';
  /** Size of the headers in earlier chunks, without the rest. */
  private measured = 0;

  constructor(boundary: string) {
    this.delimiter = Buffer.from(`--${boundary}`, 'latin1');
  }

  /** Null if the media type has no boundary. */
  static of(contentType: string): PartHeaders | null {
    try {
      const boundary = new MIMEType(contentType).params.get('boundary');
      return boundary ? new PartHeaders(boundary) : null;
    } catch {
      return null;
    }
  }

  /** False if the headers of a part are too large. */
  accept(chunk: Buffer): boolean {
    const data = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk;
    let position = 0;
    while (this.state !== 'end') {
      const from = position;
      if (this.state === 'content') {
        const found = this.findDelimiter(data, from);
        if (found < 0) return this.keep(data, from, CRLF.length + this.delimiter.length - 1);
        position = found + this.delimiter.length;
        this.state = 'delimiter';
      } else if (this.state === 'delimiter') {
        if (data.length < from + END_OF_FORM.length) return this.keep(data, from, END_OF_FORM.length - 1);
        this.state = data.subarray(from, from + END_OF_FORM.length).equals(END_OF_FORM) ? 'end' : 'headers';
        this.measured = 0;
      } else {
        const found = data.indexOf(END_OF_HEADERS, from);
        if (found < 0) {
          this.keep(data, from, END_OF_HEADERS.length - 1);
          this.measured += data.length - from - this.rest.length;
          return this.measured <= MAX_PART_HEADER_BYTES;
        }
        if (this.measured + found - from > MAX_PART_HEADER_BYTES) return false;
        position = found + END_OF_HEADERS.length;
        this.state = 'content';
      }
    }
    this.rest = NOTHING;
    return true;
  }

  /** The position of a delimiter at the start of a line; -1 if there is none. */
  private findDelimiter(data: Buffer, from: number): number {
    // Without the line break, which is frequent in a CSV file, the search is fast.
    let found = data.indexOf(this.delimiter, from + CRLF.length);
    while (found >= 0 && !data.subarray(found - CRLF.length, found).equals(CRLF)) {
      found = data.indexOf(this.delimiter, found + 1);
    }
    return found;
  }

  /** Keeps at most `most` bytes, none before `from`. */
  private keep(data: Buffer, from: number, most: number): true {
    // A copy, so that the chunk is released.
    this.rest = Buffer.from(data.subarray(Math.max(from, data.length - most)));
    return true;
  }
}
