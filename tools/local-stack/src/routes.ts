/** The services in the order of their ports, from the gateway's port + 1. */
export const SERVICES = [
  'sms-api',
  'email-api',
  'chatapp-api',
  'bot-runtime',
  'account-api',
  'chatapp-hook',
  'billing-hook',
] as const;
export type ServiceName = (typeof SERVICES)[number];

/**
 * The shape of a service's errors: `{code, message}`, `{ok, code, message}`, `{ok, error: {code, message}}`, or the XML of an
 * `SmsResponse`.
 */
export type ErrorShape = 'messaging' | 'runtime' | 'account' | 'soap';

interface ServiceRoutes {
  errorShape: ErrorShape;
  /** Slightly above the limit of the service, whose error is more specific. 0: only the service limits its bodies. */
  maxBodyMegabytes: number;
  /** A prefix matches itself and all paths below it. */
  prefixes: readonly string[];
}

/** The route table of the local and of the production gateway. The longest prefix wins. */
const ROUTES: Readonly<Record<ServiceName, ServiceRoutes>> = {
  'sms-api': {
    errorShape: 'messaging',
    maxBodyMegabytes: 2,
    prefixes: ['/sms', '/sms/soap', '/api/sms', '/api/sms/soap', '/api/me', '/api/v1/sms'],
  },
  'email-api': {
    errorShape: 'messaging',
    maxBodyMegabytes: 11,
    prefixes: ['/email', '/api/email', '/api/v1/email'],
  },
  'chatapp-api': {
    errorShape: 'messaging',
    // For a file that is too large, the service always returns 400 MEDIA_TOO_LARGE.
    maxBodyMegabytes: 0,
    prefixes: ['/chatapp', '/api/chatapp', '/api/v1/chatapp'],
  },
  'bot-runtime': {
    errorShape: 'runtime',
    maxBodyMegabytes: 2,
    prefixes: ['/bots', '/c', '/api/v1/chat'],
  },
  'account-api': {
    errorShape: 'account',
    maxBodyMegabytes: 2,
    prefixes: [
      '/api/auth',
      '/api/workspaces',
      '/api/organization',
      '/api/platform',
      '/api/v1/auth',
      '/api/v1/contacts',
      '/api/v1/credits',
      '/api/v1/analytics',
      '/api/v1/reports',
      '/api/v1/webhooks',
      '/api/v1/events',
      '/api/v1/messages',
      '/api/v1/requests',
      '/api/v1/quote',
      '/api/v1/test',
      '/api/v1/openapi.json',
      '/api/v1/docs',
      '/console',
      '/docs',
    ],
  },
  'chatapp-hook': {
    errorShape: 'messaging',
    maxBodyMegabytes: 5,
    prefixes: ['/api/chatapp/webhook'],
  },
  'billing-hook': {
    errorShape: 'messaging',
    maxBodyMegabytes: 2,
    prefixes: ['/api/webhooks/payments'],
  },
};

export interface Route {
  prefix: string;
  service: ServiceName;
}

/** The limits of prefixes whose endpoints accept larger bodies than the rest of their service, in megabytes. */
const LARGER_BODIES: Readonly<Record<string, number>> = {
  '/api/v1/contacts': 101,
  '/api/v1/quote': 11,
  '/api/v1/sms': 6,
};

const SOAP_PREFIXES: readonly string[] = ['/sms/soap', '/api/sms/soap'];

export function maxBodyOf({ prefix, service }: Route): number {
  // The service refuses a large document in the envelope of the request, which the gateway does not know.
  if (SOAP_PREFIXES.includes(prefix)) return 0;
  return LARGER_BODIES[prefix] ?? ROUTES[service].maxBodyMegabytes;
}

/** Errors of the v1 API are flat in every service. */
export function errorShapeOf({ prefix, service }: Route): ErrorShape {
  if (SOAP_PREFIXES.includes(prefix)) return 'soap';
  const { errorShape } = ROUTES[service];
  return errorShape === 'account' && prefix.startsWith('/api/v1/') ? 'messaging' : errorShape;
}

/** All routes, longest prefix first: the first match applies. */
export const ROUTES_BY_LENGTH: readonly Route[] = SERVICES.flatMap((service) =>
  ROUTES[service].prefixes.map((prefix) => ({ prefix, service })),
).sort((a, b) => b.prefix.length - a.prefix.length || a.prefix.localeCompare(b.prefix));
