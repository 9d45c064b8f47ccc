/** Builds a POST request with a JSON body and further header lines. */
export function postRequest(path: string, headers: readonly string[], body: string): Buffer {
  const lines = headers.map((header) => `${header}\r\n`).join('');
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\nHost: bench\r\n${lines}Content-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export function getRequest(path: string, headers: readonly string[]): Buffer {
  const lines = headers.map((header) => `${header}\r\n`).join('');
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: bench\r\n${lines}\r\n`);
}

export function bearer(token: string): string {
  return `Authorization: Bearer ${token}`;
}
