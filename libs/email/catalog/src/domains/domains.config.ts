import { isIP } from 'node:net';
import { readDomainName } from '@heliograph/addresses';
import { keyRingSetting } from '@heliograph/secrets';
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
  .refine((servers) => servers.every(isDnsServer), 'must be IP addresses with an optional port, such as 10.0.0.2:53');

/** Configuration of services that display or check the records of domains. */
export const emailDomainConfig = z.object({
  EMAIL_DNS_SERVERS: dnsServers.default([]).meta({
    description: 'DNS servers that are asked for the records of domains.',
    form: 'IP addresses with an optional port, separated by commas',
    example: '10.0.0.2:53',
    defaultsTo: 'those of the system',
  }),
  EMAIL_DNS_TIMEOUT_MS: z.coerce
    .number()
    .int()
    .min(50)
    .max(10_000)
    .default(2_000)
    .meta({ description: 'Time-out of a DNS query. Each query is tried twice.' }),
  EMAIL_RETURN_PATH_DOMAIN: hostName.optional().meta({
    description: 'Domain of returned mail. Without it, customers publish no return path.',
    form: 'a host name',
    example: 'bounces.example.com',
  }),
  EMAIL_SPF_HOST: hostName.optional().meta({
    description: 'Host that customers include in their SPF record.',
    form: 'a host name',
    example: 'spf.example.com',
    defaultsTo: 'EMAIL_RETURN_PATH_DOMAIN',
  }),
  EMAIL_DOMAIN_GRACE_HOURS: z.coerce
    .number()
    .min(0)
    .default(72)
    .meta({ description: 'How long a verified domain may send after its records have disappeared.' }),
  EMAIL_DOMAIN_RECHECK_HOURS: z.coerce
    .number()
    .positive()
    .default(24)
    .meta({ description: 'Interval between the checks of the records of a verified domain.' }),
  PUBLIC_TRACKING_URL: z.url().optional().meta({
    description: 'Base URL of opens, clicks and unsubscribes.',
    example: 'https://links.example.com',
    defaultsTo: 'PUBLIC_BASE_URL',
    production: 'https-if-set',
  }),
  EMAIL_SECRETS_KEYS: keyRingSetting('EMAIL_SECRETS_KEYS').meta({
    description:
      'Keys that encrypt the stored DKIM keys, the same in all services. The first key encrypts, all keys decrypt.',
    form: 'keys, the newest first',
    example: 'k1:$(openssl rand -base64 32)',
    secret: true,
  }),
  PUBLIC_BASE_URL: z.url().optional().meta({
    description: 'Base URL under which callers reach the services.',
    example: 'https://messaging.example.com',
    production: 'https',
  }),
});

export type EmailDomainConfig = z.output<typeof emailDomainConfig>;

function isDnsServer(server: string): boolean {
  if (isIP(server) !== 0) return true;
  const [, six, four, port] = DNS_SERVER.exec(server) ?? [];
  return isIP(six ?? four ?? '') !== 0 && Number(port ?? 53) <= 65_535;
}
