import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 100;
const MAX_MS = 900_000;
/** The file is written in parts of this many rows. */
const ROWS_PER_PART = 1_000;

export interface V1Resource {
  id: string;
  status: string;
  total?: number;
}

export function importUrl(port: number, id = ''): string {
  return `http://127.0.0.1:${port}/api/v1/contacts/import${id && `/${id}`}`;
}

/** Uploads a file of contacts. Resolves with the id of the import. */
export async function uploadContacts(port: number, key: string, file: ContactsFile): Promise<string> {
  const { id } = await callV1(importUrl(port), key, { body: streamOf(file), type: 'text/csv' });
  return id;
}

/** Resolves with the rows per second, from the upload to the end of the import. */
export async function importContacts(port: number, key: string, file: ContactsFile): Promise<number> {
  const startedAt = performance.now();
  await untilCompleted(importUrl(port, await uploadContacts(port, key, file)), key);
  return (file.rows * 1_000) / (performance.now() - startedAt);
}

export interface ContactsFile {
  rows: number;
  /** Number of the first contact. */
  first?: number;
}

function streamOf({ rows, first = 0 }: ContactsFile): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const end = first + rows;
  let row = first;
  return new ReadableStream({
    start: (stream) => stream.enqueue(encoder.encode('phone,email,first_name,attributes.plan\n')),
    pull: (stream) => {
      const lines: string[] = [];
      for (const upTo = Math.min(end, row + ROWS_PER_PART); row < upTo; row++) {
        lines.push(`+9197${String(row).padStart(8, '0')},contact-${row}@bench.example,Contact ${row},pro\n`);
      }
      stream.enqueue(encoder.encode(lines.join('')));
      if (row === end) stream.close();
    },
  });
}

export class RefusedCallError extends Error {
  constructor(
    url: string,
    readonly status: number,
    text: string,
  ) {
    super(`${url} returned ${status} ${text.slice(0, 300)}`);
  }
}

export async function callV1(
  url: string,
  key: string,
  request?: { body: string | ReadableStream; type: string },
): Promise<V1Resource> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(url, {
    ...(request
      ? { method: 'POST', body: request.body, headers: { ...headers, 'content-type': request.type }, duplex: 'half' }
      : { headers }),
  } as RequestInit);
  const text = await response.text();
  if (!response.ok) throw new RefusedCallError(url, response.status, text);
  return JSON.parse(text) as V1Resource;
}

/** Waits until an import or a campaign is completed. Throws if it fails. */
export async function untilCompleted(url: string, key: string): Promise<void> {
  for (const deadline = Date.now() + MAX_MS; Date.now() < deadline; await delay(POLL_MS)) {
    const resource = await callV1(url, key);
    if (resource.status === 'completed') return;
    if (resource.status === 'failed') throw new Error(`${url} failed: ${JSON.stringify(resource)}`);
  }
  throw new Error(`${url} is not completed`);
}
