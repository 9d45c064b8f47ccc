import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { benchKey } from '@heliograph/bench-data';
import { type ToolProcess } from '@heliograph/harness';

const SIZE = 90 * 1024 * 1024;
const CHUNK = Buffer.alloc(64 * 1024, 0x20);
const SAMPLE_EVERY_MS = 20;
const BOUNDARY = 'bench-boundary';

/** Uploads 90 MB. Resolves with the increase of the server's memory in MB. */
export async function measureUpload(port: number, server: ToolProcess): Promise<number> {
  const before = server.memoryMb();
  let highest = before;
  const sampling = setInterval(() => (highest = Math.max(highest, server.memoryMb())), SAMPLE_EVERY_MS);
  const upload = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/chatapp/media',
    headers: {
      authorization: `Bearer ${benchKey(0)}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  const responded = once(upload, 'response') as Promise<[IncomingMessage]>;
  upload.write(
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="notes.txt"\r\nContent-Type: text/plain\r\n\r\n`,
  );
  for (let sent = 0; sent < SIZE; sent += CHUNK.length) {
    if (!upload.write(CHUNK)) await once(upload, 'drain');
  }
  upload.end(`\r\n--${BOUNDARY}--\r\n`);
  const [response] = await responded;
  response.resume();
  await once(response, 'end');
  clearInterval(sampling);
  if (response.statusCode !== 200) throw new Error(`the upload returned ${response.statusCode}`);
  return highest - before;
}
