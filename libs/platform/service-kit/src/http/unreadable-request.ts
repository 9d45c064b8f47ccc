import { randomUUID } from 'node:crypto';
import { STATUS_CODES, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@heliograph/errors';

const REFUSALS: Readonly<Record<string, { status: number; message: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The headers of the request are too large. Send less than 16 kB.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request did not arrive in time. Send it again.' },
};
const MALFORMED = { status: 400, message: 'The request is not valid HTTP. Check its request line and its headers.' };

/** Sends an error in the shape of the service for requests that Node.js cannot parse, and closes their connection. */
export function refuseUnreadable(server: Server, bodyOf: (error: AppError) => object): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Nobody reads a response after a reset, and a response after a part of another one would be taken for its rest.
    if (error.code === 'ECONNRESET' || !socket.writable || hasResponse(socket)) {
      socket.destroy(error);
      return;
    }
    const { status, message } = REFUSALS[error.code ?? ''] ?? MALFORMED;
    const body = JSON.stringify(bodyOf(new AppError('INVALID_REQUEST', message)));
    const head = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${randomUUID()}`,
      'Connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** Whether a response to an earlier request of the connection is being sent. */
function hasResponse(socket: Socket): boolean {
  return '_httpMessage' in socket && socket._httpMessage !== null;
}
