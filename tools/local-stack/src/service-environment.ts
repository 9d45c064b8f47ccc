import { SERVICES, type ServiceName } from './routes';
import type { StackOptions } from './stack.config';

export interface Surroundings {
  databaseUrl: string;
  /** The loopback address that the gateway calls from. */
  gatewayAddress: string;
  smppPort: number;
}

export function gatewayUrl({ port }: StackOptions): string {
  return `http://localhost:${port}`;
}

export function servicePort({ port }: StackOptions, service: ServiceName): number {
  return port + 1 + SERVICES.indexOf(service);
}

/** The settings of a service: defaults that work here, then what the real environment says. */
export function serviceEnvironment(
  options: StackOptions,
  service: ServiceName,
  { databaseUrl, gatewayAddress, smppPort }: Surroundings,
): Record<string, string> {
  const carrier = {
    name: 'simulator',
    host: '127.0.0.1',
    port: smppPort,
    systemId: 'heliograph',
    password: 'simulated',
    // A cut bind is back before anybody has looked.
    reconnectMinMs: 200,
    reconnectMaxMs: 2_000,
  };
  return {
    LOG_LEVEL: 'info',
    KEY_PREFIX: options.keyPrefix,
    PUBLIC_BASE_URL: gatewayUrl(options),
    PUBLIC_BOTS_URL: gatewayUrl(options),
    TRUST_PROXY: gatewayAddress,
    SMS_CARRIERS: JSON.stringify([carrier]),
    // Whoever presses Ctrl-C does not wait for longer.
    SHUTDOWN_GRACE_MS: '5000',
    ...options.given,
    DATABASE_URL: databaseUrl,
    // Nothing but the gateway and this machine talks to a service.
    HOST: '127.0.0.1',
    PORT: String(servicePort(options, service)),
  };
}
