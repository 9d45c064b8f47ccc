import { isIP } from 'node:net';
import { readDomainName } from '@heliograph/email-address';
import { z } from 'zod';

const DNS_SERVER = /^(?:\[([0-9a-fA-F:.]+)\]|([0-9.]+))(?::(\d{1,5}))?$/;

const hostName = z.string().transform((text, context): string => {
  const name = readDomainName(text);
  if (name !== null) return name;
  context.addIssue({ code: 'custom', message: 'must be a host name, such as bounces.example.com' });
  return z.NEVER;
});

const dnsServers = z
  .string()
  .transform((text) => text.split(',').map((server) => server.trim()))
  .refine(
    (servers) => servers.every(isDnsServer),
    'must be IP addresses, each with a port or without, such as 10.0.0.2:53',
  );

/** Settings of every service that shows or checks the records of a domain. */
export const emailDomainConfig = z.object({
  /** Comma separated; empty: those of the system. */
  EMAIL_DNS_SERVERS: dnsServers.default([]),
  /** How long one question waits for an answer. It is asked twice. */
  EMAIL_DNS_TIMEOUT_MS: z.coerce.number().int().min(50).max(10_000).default(2_000),
  /** Where returned mail comes to. Without it customers publish no return path. */
  EMAIL_RETURN_PATH_DOMAIN: hostName.optional(),
  /** Whose SPF record names the servers that send. Left out: EMAIL_RETURN_PATH_DOMAIN. */
  EMAIL_SPF_HOST: hostName.optional(),
  /** How long a verified domain goes on sending after its records have disappeared. */
  EMAIL_DOMAIN_GRACE_HOURS: z.coerce.number().min(0).default(72),
  EMAIL_DOMAIN_RECHECK_HOURS: z.coerce.number().positive().default(24),
  /** Where opens, clicks and unsubscribes arrive. Left out: PUBLIC_BASE_URL. */
  PUBLIC_TRACKING_URL: z.url().optional(),
  PUBLIC_BASE_URL: z.url().optional(),
});

export type EmailDomainConfig = z.output<typeof emailDomainConfig>;

function isDnsServer(server: string): boolean {
  if (isIP(server) !== 0) return true;
  const [, six, four, port] = DNS_SERVER.exec(server) ?? [];
  return isIP(six ?? four ?? '') !== 0 && Number(port ?? 53) <= 65_535;
}
