import { request as httpRequest, type Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { forwardedHeaders, hasBody, returnedHeaders } from './proxied-headers';

export interface Upstream {
  port: number;
  agent: Agent;
  /** The loopback address that services know the gateway by. */
  localAddress: string;
}

/**
 * Passes a call to a service and its answer back, byte for byte and as they come: nothing is buffered in either
 * direction, and when one side goes away the other is told. `unavailable` answers when the service does not.
 */
export function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, agent, localAddress }: Upstream,
  unavailable: () => void,
): void {
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port,
    localAddress,
    agent,
    method: incoming.method,
    path: incoming.url,
    headers: forwardedHeaders(incoming),
  });
  let answered = false;

  outgoing.once('response', (answer) => {
    answered = true;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, returnedHeaders(answer));
    answer.pipe(response);
    // Cut short by the service: the caller must not take the part for the whole.
    answer.once('error', () => response.destroy());
    answer.once('aborted', () => response.destroy());
  });
  // After an answer it only means that the service did not want the rest of the body.
  outgoing.on('error', () => {
    incoming.unpipe(outgoing);
    if (!answered && !response.destroyed) unavailable();
  });
  // Silence for as long as the agent's timeout; event streams say something every few seconds.
  outgoing.once('timeout', () => outgoing.destroy());
  // No retry in any of these cases: even a GET may have sent a message.

  response.once('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  if (hasBody(incoming)) incoming.pipe(outgoing);
  else outgoing.end();
}
