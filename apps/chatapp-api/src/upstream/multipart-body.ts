import { randomBytes } from 'node:crypto';

export interface FilePart {
  name: string;
  mimeType: string;
  content: AsyncIterable<Buffer>;
}

/** A multipart form (RFC 7578) of some fields and one file, generated while it is read. */
export function multipartBody(
  fields: Readonly<Record<string, string>>,
  file: FilePart,
): { contentType: string; bytes: AsyncGenerator<Buffer> } {
  const boundary = `heliograph-${randomBytes(16).toString('hex')}`;
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes: write(boundary, fields, file) };
}

async function* write(
  boundary: string,
  fields: Readonly<Record<string, string>>,
  { name, mimeType, content }: FilePart,
): AsyncGenerator<Buffer> {
  const parts = Object.entries(fields).map(
    ([field, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`,
  );
  yield Buffer.from(
    `${parts.join('')}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${escaped(name)}"\r\n` +
      `Content-Type: ${mimeType}\r\n\r\n`,
  );
  yield* content;
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Escapes a name as the HTML Standard requires. */
function escaped(name: string): string {
  return name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
}
