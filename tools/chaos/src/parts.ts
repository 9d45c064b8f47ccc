import { BILLING, BOTS, CHATAPP, EMAIL, SMS, WEBHOOKS, type ServiceName } from './services';

/** The parts of the load of a run, with the services that they need. account-api counts the analytics of every run. */
const SERVICES_OF = {
  sms: SMS,
  payments: [...BILLING, ...EMAIL],
  purchases: [...BILLING, ...EMAIL],
  accounts: [],
  email: EMAIL,
  chatapp: CHATAPP,
  bots: BOTS,
  campaigns: [...SMS, ...EMAIL],
  webhooks: WEBHOOKS,
  noise: [...SMS, ...EMAIL],
} as const satisfies Record<string, readonly ServiceName[]>;

export type Part = keyof typeof SERVICES_OF;
export const PARTS = Object.keys(SERVICES_OF) as Part[];

/** The parts of a list such as `purchases,sms`; all parts without a list. Throws for an unknown name. */
export function readParts(list: string | undefined): ReadonlySet<Part> {
  if (list === undefined) return new Set(PARTS);
  const names = list.split(',');
  const unknown = names.filter((name) => !PARTS.some((part) => part === name));
  if (unknown.length > 0) throw new Error(`--only accepts ${PARTS.join(', ')}, not ${unknown.join(', ')}`);
  return new Set(PARTS.filter((part) => names.includes(part)));
}

export function servicesOf(parts: ReadonlySet<Part>): ReadonlySet<ServiceName> {
  return new Set<ServiceName>([...[...parts].flatMap((part) => [...SERVICES_OF[part]]), 'account-api']);
}
