import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { AppError } from '@heliograph/errors';
import { readCutOffRequest } from '@heliograph/testing';
import { CutOff, openUpload, type UploadRules } from './file-upload';

const RULES: UploadRules = {
  maxBytes: 100_000,
  stallMs: 60_000,
  fields: ['options'],
  tooLarge: () => new AppError('PAYLOAD_TOO_LARGE', 'too large'),
  missingFile: () => new AppError('MISSING_FILE', 'no file'),
};
const FORM_TYPE = { 'Content-Type': 'multipart/form-data; boundary=x' };
const CSV_TYPE = { 'Content-Type': 'text/csv' };

const part = (name: string, content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${content}\r\n`;
const filePart = (content: string): string =>
  `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n${content}\r\n`;
const form = Buffer.from(`${filePart('text')}--x--\r\n`);
const csv = Buffer.from('email\nann@example.com\n');

async function readAll(request: IncomingMessage, rules = RULES) {
  const upload = await openUpload(request, rules);
  try {
    const chunks: Buffer[] = [];
    for await (const chunk of upload.content()) chunks.push(chunk);
    const { fileName, fields, whole } = upload;
    return { text: Buffer.concat(chunks).toString(), fileName, fields: Object.fromEntries(fields), whole };
  } finally {
    upload.close();
  }
}

/** Sends a request, whose client waits for the response. */
async function sendAndRead<T>(
  headers: Record<string, string>,
  body: Buffer,
  length: number,
  read: (request: IncomingMessage) => Promise<T>,
): Promise<T> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  try {
    const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
    const size = 'Transfer-Encoding' in headers ? {} : { 'Content-Length': String(length) };
    const lines = Object.entries({ Host: 'a', ...size, ...headers });
    socket.write(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(body);
    const [request] = await arrived;
    return await read(request);
  } finally {
    socket.destroy();
    server.close();
  }
}

describe('openUpload', () => {
  it.each([
    ['a part of a form', FORM_TYPE, form.subarray(0, 80), form.length],
    ['a whole form', FORM_TYPE, form, form.length],
    ['a part of a file', CSV_TYPE, csv.subarray(0, 9), csv.length],
    ['a whole file', CSV_TYPE, csv, csv.length],
  ])('rejects when the client has sent %s and gone before it was read', async (_what, headers, sent, length) => {
    await expect(readCutOffRequest(headers, sent, length, readAll)).rejects.toBeInstanceOf(CutOff);
  });

  it('reads the file of a form with the kept text parts before and after it', async () => {
    const body = Buffer.from(`${part('other', 'x')}${filePart('text')}${part('options', '{}')}--x--\r\n`);
    expect(await sendAndRead(FORM_TYPE, body, body.length, readAll)).toEqual({
      text: 'text',
      fileName: 'a.txt',
      fields: { options: '{}' },
      whole: { sha256: '982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1', sizeBytes: 4 },
    });
  });

  it('reads a body that is not a form as the file', async () => {
    const read = await sendAndRead(CSV_TYPE, csv, csv.length, readAll);
    expect(read).toMatchObject({ text: csv.toString(), fileName: undefined, whole: { sizeBytes: csv.length } });
  });

  it('returns the head again with the content', async () => {
    const read = await sendAndRead(CSV_TYPE, csv, csv.length, async (request) => {
      const upload = await openUpload(request, RULES);
      const head = await upload.readHead(5);
      let text = '';
      for await (const chunk of upload.content()) text += chunk.toString();
      return { head: head.toString('utf8', 0, 5), text };
    });
    expect(read).toEqual({ head: 'email', text: csv.toString() });
  });

  it.each([
    ['a form', FORM_TYPE, form],
    ['a file', CSV_TYPE, csv],
  ])('rejects %s whose client sends no more', async (_what, headers, body) => {
    const rules = { ...RULES, stallMs: 50 };
    const read = sendAndRead(headers, body.subarray(0, -5), body.length, (request) => readAll(request, rules));
    await expect(read).rejects.toThrow('The upload stalled. Send the file again.');
  });

  it.each([
    ['no colon', 'Content-Disposition form-data'],
    ['no name', ': form-data'],
    ['a control character', 'Content-Disposition: form-data; name="file\u0001"'],
  ])('rejects a part header with %s at once', async (_what, header) => {
    const bad = `--x\r\n${header}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ntext\r\n`;
    for (const text of [
      `${bad}--x--\r\n`,
      `${part('options', '{}')}${bad}--x--\r\n`,
      `${filePart('text')}${bad}--x--\r\n`,
    ]) {
      for (const rest of [0, 1_000]) {
        // The client waits for the response with a part of the body still to send.
        const read = sendAndRead(FORM_TYPE, Buffer.from(text), text.length + rest, readAll);
        await expect(read).rejects.toMatchObject({
          code: 'INVALID_REQUEST',
          message: 'The multipart body is incomplete or malformed. Send it as multipart/form-data.',
        });
      }
    }
  });

  it.each([
    ['a file name of 15 kB', `Content-Disposition: form-data; name="file"; filename="${'a'.repeat(15_000)}"`],
    ['a line of 15 kB', `X-One: ${'a'.repeat(15_000)}`],
    ['a line of 20 kB', `X-One: ${'a'.repeat(20_000)}`],
    ['a line of 5 kB', `X-One: ${'a'.repeat(5_000)}`],
    ['two lines of 3 kB', `X-One: ${'a'.repeat(3_000)}\r\nX-Two: ${'a'.repeat(3_000)}`],
  ])('rejects %s in a part header at once', async (_what, header) => {
    const bad = `--x\r\n${header}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ntext\r\n`;
    for (const before of ['', part('options', '{}'), filePart('text')]) {
      const whole = Buffer.from(`${before}${bad}--x--\r\n`);
      const started = Buffer.from(`${before}--x\r\n${header}`);
      for (const body of [whole, started]) {
        for (const rest of [0, 1_000]) {
          const read = sendAndRead(FORM_TYPE, body, body.length + rest, readAll);
          await expect(read).rejects.toMatchObject({
            code: 'INVALID_REQUEST',
            message: expect.stringContaining('The headers of a part have more than 4096 bytes') as string,
          });
        }
      }
    }
  });

  it.each([
    ['a form', FORM_TYPE, form.subarray(0, 80)],
    ['a file', CSV_TYPE, csv],
  ])('rejects %s that arrives in drips', async (_what, headers, start) => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const arrived = once(server, 'request') as Promise<[IncomingMessage]>;
    const lines = Object.entries({ Host: 'a', 'Content-Length': '90000', ...headers });
    socket.write(`POST / HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
    socket.write(start);
    const drips = setInterval(() => socket.write('a'), 10);
    try {
      const [request] = await arrived;
      const startedAt = performance.now();
      await expect(readAll(request, { ...RULES, slowStartMs: 100 })).rejects.toThrow(
        'The upload was too slow. Send at least 10 kB per second, or split the file.',
      );
      expect(performance.now() - startedAt).toBeLessThan(5_000);
    } finally {
      clearInterval(drips);
      socket.destroy();
      server.close();
    }
  });

  it('allows for a reader that is slower than the client', async () => {
    const body = Buffer.alloc(90_000, 'a');
    const read = await sendAndRead(CSV_TYPE, body, body.length, async (request) => {
      const upload = await openUpload(request, { ...RULES, slowStartMs: 1_000 });
      let bytes = 0;
      for await (const chunk of upload.content()) {
        bytes += chunk.length;
        await new Promise((resolve) => setTimeout(resolve, 1_100));
      }
      return bytes;
    });
    expect(read).toBe(body.length);
  });

  it.each([
    ['a form without a file', FORM_TYPE, Buffer.from(`${part('options', '{}')}--x--\r\n`), 'MISSING_FILE'],
    ['a file above the limit', CSV_TYPE, Buffer.alloc(100_001), 'PAYLOAD_TOO_LARGE'],
    ['a form whose end is missing', FORM_TYPE, form.subarray(0, -8), 'INVALID_REQUEST'],
    ['a form without a boundary', { 'Content-Type': 'multipart/form-data' }, form, 'INVALID_REQUEST'],
    ['a compressed body', { ...CSV_TYPE, 'Content-Encoding': 'gzip' }, csv, 'INVALID_REQUEST'],
  ])('rejects %s', async (_what, headers, body, code) => {
    await expect(sendAndRead(headers, body, body.length, readAll)).rejects.toMatchObject({ code });
  });

  it('rejects a body of unknown length whose other parts are too large', async () => {
    const other = `--x\r\nContent-Disposition: form-data; name="b"; filename="b"\r\n\r\n${'b'.repeat(1_200_000)}\r\n`;
    const chunk = Buffer.from(`${filePart('text')}${other}--x--\r\n`);
    const headers = { ...FORM_TYPE, 'Transfer-Encoding': 'chunked' };
    const body = Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n0\r\n\r\n')]);
    const read = sendAndRead(headers, body, body.length, readAll);
    await expect(read).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
  });
});
