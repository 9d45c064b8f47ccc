import { request as httpRequest, type Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { forwardedHeaders, hasBody, returnedHeaders } from './proxied-headers';

export interface Upstream {
  port: number;
  agent: Agent;
  /** The loopback address by which services recognize the gateway. */
  localAddress: string;
  /** See GatewayOptions. */
  isTrusted?: ((address: string) => boolean) | undefined;
}

/**
 * Streams a call to a service and the response back, byte for byte and without buffering. When one side disconnects, the
 * other side is closed. `unavailable` answers if the service does not.
 */
export function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  { port, agent, localAddress, isTrusted }: Upstream,
  unavailable: () => void,
): void {
  const outgoing = httpRequest({
    host: '127.0.0.1',
    port,
    localAddress,
    agent,
    method: incoming.method,
    path: incoming.url,
    headers: forwardedHeaders(incoming, isTrusted),
  });
  let answered = false;
  const stopSending = (): void => {
    incoming.unpipe(outgoing);
    // `unpipe` pauses the body, but a client may write all of it before it reads the response.
    incoming.resume();
    outgoing.destroy();
  };

  outgoing.once('response', (answer) => {
    answered = true;
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage, returnedHeaders(answer));
    answer.pipe(response);
    // The service needs no more of the body; `discardUnreadBody` reads the rest.
    answer.once('end', () => {
      if (!incoming.complete) stopSending();
    });
    // Truncated by the service: the caller must not treat the part as complete.
    answer.once('error', () => response.destroy());
    answer.once('aborted', () => response.destroy());
  });
  // After a response it only means that the service did not read the rest of the body.
  outgoing.on('error', () => {
    stopSending();
    if (!answered && !response.destroyed) unavailable();
  });
  // No data during the agent's time-out. Event streams are not affected, because they send heartbeats every few
  // seconds.
  outgoing.once('timeout', () => outgoing.destroy());
  // Never retried: even a GET may have sent a message.

  response.once('close', () => {
    if (!response.writableFinished) outgoing.destroy();
  });
  if (hasBody(incoming)) incoming.pipe(outgoing);
  else outgoing.end();
}
