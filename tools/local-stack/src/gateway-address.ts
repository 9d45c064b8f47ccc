import { createServer } from 'node:net';

const OWN_ADDRESS = '127.0.0.2';
const SHARED_ADDRESS = '127.0.0.1';

/**
 * The loopback address that the gateway calls the services from. One of its own, so that they can tell it from
 * anybody else on this machine and believe nobody else's X-Forwarded-For; not every system has more than 127.0.0.1.
 */
export function gatewayAddress(): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(SHARED_ADDRESS));
    probe.listen(0, OWN_ADDRESS, () => probe.close(() => resolve(OWN_ADDRESS)));
  });
}
