/** The services, in the order of their ports: the first listens on the gateway's port + 1. */
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

/** Services of this version. The others have their ports and prefixes reserved, and are not routed. */
export const EXISTING_SERVICES: readonly ServiceName[] = [
  'sms-api',
  'email-api',
  'chatapp-api',
  'bot-runtime',
  'account-api',
  'chatapp-hook',
  'billing-hook',
];

/** How a service words its errors: `{code, message}`, `{ok, code, message}` or `{ok, error: {code, message}}`. */
export type ErrorShape = 'messaging' | 'runtime' | 'account';

interface ServiceRoutes {
  errorShape: ErrorShape;
  /** A little above what the service itself takes: its own answer says more than a proxy's. */
  maxBodyMegabytes: number;
  /** Each stands for itself and for everything below it. */
  prefixes: readonly string[];
}

/** Which path belongs to whom. The longest prefix wins. Both gateways, the local and the production one, follow it. */
export const ROUTES: Readonly<Record<ServiceName, ServiceRoutes>> = {
  'sms-api': {
    errorShape: 'messaging',
    maxBodyMegabytes: 2,
    prefixes: ['/sms', '/api/sms', '/api/me', '/api/v1/sms'],
  },
  'email-api': {
    errorShape: 'messaging',
    maxBodyMegabytes: 11,
    prefixes: ['/email', '/api/email', '/api/v1/email'],
  },
  'chatapp-api': {
    errorShape: 'messaging',
    maxBodyMegabytes: 101,
    prefixes: ['/chatapp', '/api/chatapp'],
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

/** All routes, longest prefix first: the first that matches is the one. */
export const ROUTES_BY_LENGTH: readonly Route[] = SERVICES.flatMap((service) =>
  ROUTES[service].prefixes.map((prefix) => ({ prefix, service })),
).sort((a, b) => b.prefix.length - a.prefix.length || a.prefix.localeCompare(b.prefix));
