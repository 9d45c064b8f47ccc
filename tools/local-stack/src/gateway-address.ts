import { createServer } from 'node:net';

const OWN_ADDRESS = '127.0.0.2';
const SHARED_ADDRESS = '127.0.0.1';

/**
 * The loopback address from which the gateway calls the services. If the system has more than 127.0.0.1, the gateway has
 * its own address, so that the services trust the X-Forwarded-For of no other process.
 */
export function gatewayAddress(): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(SHARED_ADDRESS));
    probe.listen(0, OWN_ADDRESS, () => probe.close(() => resolve(OWN_ADDRESS)));
  });
}
