import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { HttpResponse } from '@heliograph/testing';

export interface FormFile {
  bytes: Buffer | string;
  name?: string | null;
  type?: string;
  field?: string;
}

export const BOUNDARY = 'a-boundary-of-the-tests';
export const FORM_TYPE = `multipart/form-data; boundary=${BOUNDARY}`;

/** Returns a multipart body in the format of a browser. */
export function formOf(files: readonly FormFile[], fields: Record<string, string> = {}): Buffer {
  const parts: (Buffer | string)[] = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  for (const { bytes, name = 'a.txt', type = 'text/plain', field = 'file' } of files) {
    const fileName = name === null ? '' : `; filename="${name}"`;
    parts.push(`--${BOUNDARY}\r\nContent-Disposition: form-data; name="${field}"${fileName}\r\n`);
    parts.push(name === null ? '\r\n' : `Content-Type: ${type}\r\n\r\n`, bytes, '\r\n');
  }
  return Buffer.concat([...parts, `--${BOUNDARY}--\r\n`].map((part) => Buffer.from(part)));
}

/** Returns the beginning and the end of a form; the content of one file is written between them. */
export function frameOf(name: string): { before: Buffer; after: Buffer } {
  const form = formOf([{ bytes: '|', name, type: 'application/octet-stream' }]);
  const at = form.lastIndexOf('|');
  return { before: form.subarray(0, at), after: form.subarray(at + 1) };
}

/**
 * Sends a body that is generated during the upload, with back-pressure. Rejects if the connection closes before the
 * body is sent.
 */
export async function postStream(
  url: string,
  headers: Record<string, string>,
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
): Promise<HttpResponse> {
  const call = request(url, { method: 'POST', agent: false, headers });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    call.once('response', resolve);
    call.once('error', reject);
  });
  let isAnswered = false;
  answered.then(
    () => (isAnswered = true),
    () => (isAnswered = true),
  );
  for await (const chunk of chunks) {
    if (isAnswered) break;
    if (!call.write(chunk)) {
      await Promise.race([new Promise((resolve) => call.once('drain', resolve)), answered.catch(() => null)]);
    }
  }
  if (!isAnswered) call.end();
  const response = await answered;
  const received: Buffer[] = [];
  for await (const chunk of response) received.push(chunk as Buffer);
  call.destroy();
  const text = Buffer.concat(received).toString();
  return {
    status: response.statusCode ?? 0,
    headers: new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)])),
    text,
    body: JSON.parse(text) as Record<string, unknown>,
  };
}

/** Returns the response to a request that sends less than its Content-Length. */
export function rawAnswer(url: string, key: string, body: Buffer, promised: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (!text.includes('"message"')) return;
      socket.destroy();
      resolve(text);
    });
    socket.once('error', reject);
    socket.once('close', () => resolve(text));
    socket.write(
      `POST /chatapp/media HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: ${FORM_TYPE}\r\n` +
        `Content-Length: ${promised}\r\n\r\n`,
    );
    socket.write(body);
  });
}
