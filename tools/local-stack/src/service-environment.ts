import path from 'node:path';
import { LOCAL_SECRETS } from '@heliograph/service-kit';
import type { ProviderAccount } from '@heliograph/simulators';
import { PROCESSOR_SIGNATURE_HEADER } from '@heliograph/secrets';
import { trustProxyOfServices } from './gateway/trusted-proxies';
import { SERVICES, type ServiceName } from './routes';
import { CONTROL_PORT_OFFSET, RETURN_PORT_OFFSET, type StackOptions } from './stack.config';

export interface Surroundings {
  databaseUrl: string;
  /** The loopback address from which the gateway calls. */
  gatewayAddress: string;
  smppPort: number;
  smtpPort: number;
  graphUrl: string;
  /** The account of the provider simulator. */
  providerAccount: ProviderAccount;
}

export function gatewayUrl({ port }: StackOptions): string {
  return `http://localhost:${port}`;
}

export function servicePort({ port }: StackOptions, service: ServiceName): number {
  const index = SERVICES.indexOf(service);
  // The ports between belong to the listener for returned mail, the demo page and the control API.
  return index < RETURN_PORT_OFFSET - 1
    ? port + 1 + index
    : port + CONTROL_PORT_OFFSET + index - (RETURN_PORT_OFFSET - 2);
}

/** The secret with which the payments simulator signs: the first one during a rotation. */
export function webhookSecret({ given }: StackOptions): string {
  return given['BILLING_WEBHOOK_SECRET']?.split(',')[0]?.trim() ?? LOCAL_SECRETS.billingWebhookSecret;
}

/** The header in which the payments simulator sends its signature. */
export function signatureHeader({ given }: StackOptions): string {
  return given['BILLING_SIGNATURE_HEADER'] ?? PROCESSOR_SIGNATURE_HEADER;
}

/** A fixed default: only this machine can reach the services. */
export function operatorToken({ given }: StackOptions): string {
  return given['PLATFORM_OPERATOR_TOKEN']?.split(',')[0]?.trim() ?? LOCAL_SECRETS.operatorToken;
}

/** The config of a service: local defaults, overridden by the environment. */
export function serviceEnvironment(
  options: StackOptions,
  service: ServiceName,
  { databaseUrl, gatewayAddress, smppPort, smtpPort, graphUrl, providerAccount }: Surroundings,
): Record<string, string> {
  const carrier = {
    name: 'simulator',
    host: '127.0.0.1',
    port: smppPort,
    systemId: 'heliograph',
    password: LOCAL_SECRETS.smppPassword,
    // A closed bind reconnects quickly.
    reconnectMinMs: 200,
    reconnectMaxMs: 2_000,
  };
  return {
    LOG_LEVEL: 'info',
    KEY_PREFIX: options.keyPrefix,
    PUBLIC_BASE_URL: gatewayUrl(options),
    PUBLIC_BOTS_URL: gatewayUrl(options),
    SMS_CARRIERS: JSON.stringify([carrier]),
    ...emailEnvironment(options, smtpPort),
    ...chatappEnvironment(options, graphUrl, providerAccount),
    ...billingEnvironment(options),
    PLATFORM_OPERATOR_TOKEN: operatorToken(options),
    PERSON_HASH_KEYS: LOCAL_SECRETS.personHashKey,
    ...withoutEmptied({ REGISTRATION: 'open', REGISTRATION_CREDITS: 'sms:100,email:100' }, options.emptied),
    REPORTS_DIR: path.join(options.dataDir, 'reports'),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    SMS_API_URL: `http://127.0.0.1:${servicePort(options, 'sms-api')}`,
    EMAIL_API_URL: `http://127.0.0.1:${servicePort(options, 'email-api')}`,
    CHATAPP_API_URL: `http://127.0.0.1:${servicePort(options, 'chatapp-api')}`,
    BOT_RUNTIME_URL: `http://127.0.0.1:${servicePort(options, 'bot-runtime')}`,
    CHATAPP_HOOK_URL: `http://127.0.0.1:${servicePort(options, 'chatapp-hook')}`,
    BILLING_HOOK_URL: `http://127.0.0.1:${servicePort(options, 'billing-hook')}`,
    // Ctrl-C should not take longer.
    SHUTDOWN_GRACE_MS: '5000',
    ...options.given,
    // Its secrets are published, and production refuses them.
    NODE_ENV: 'development',
    TRUST_PROXY: trustProxyOfServices(gatewayAddress, options.given['TRUST_PROXY']),
    DATABASE_URL: databaseUrl,
    // Only the gateway and this machine can reach a service.
    HOST: '127.0.0.1',
    PORT: String(servicePort(options, service)),
  };
}

/** The account of the services and the simulator, as given in the environment; the simulator has defaults for the rest. */
export function chatappAccount({ given, emptied }: StackOptions): Partial<ProviderAccount> {
  const account: [keyof ProviderAccount, string | undefined][] = [
    ['accessToken', given['CHATAPP_ACCESS_TOKEN']],
    ['phoneNumberId', given['CHATAPP_PHONE_NUMBER_ID']],
    ['businessAccountId', given['CHATAPP_BUSINESS_ACCOUNT_ID']],
    // The simulator signs with the first of two secrets.
    ['appSecret', emptied.has('CHATAPP_APP_SECRET') ? '' : given['CHATAPP_APP_SECRET']?.split(',')[0]?.trim()],
    ['product', given['CHATAPP_PRODUCT']],
  ];
  return Object.fromEntries(account.filter(([, value]) => value !== undefined));
}

function chatappEnvironment(
  { emptied }: StackOptions,
  graphUrl: string,
  { accessToken, phoneNumberId, businessAccountId, appSecret, product }: ProviderAccount,
): Record<string, string> {
  const account = {
    CHATAPP_ACCESS_TOKEN: accessToken,
    CHATAPP_PHONE_NUMBER_ID: phoneNumberId,
    CHATAPP_BUSINESS_ACCOUNT_ID: businessAccountId,
    CHATAPP_APP_SECRET: appSecret,
    CHATAPP_VERIFY_TOKEN: LOCAL_SECRETS.chatappVerifyToken,
  };
  return {
    ...withoutEmptied(account, emptied),
    // An empty secret disables the signature of the simulator too.
    CHATAPP_ALLOW_UNSIGNED: String(emptied.has('CHATAPP_APP_SECRET')),
    CHATAPP_PRODUCT: product,
    CHATAPP_GRAPH_URL: graphUrl,
  };
}

function billingEnvironment(options: StackOptions): Record<string, string> {
  const account = {
    BILLING_SECRET_KEY: LOCAL_SECRETS.billingSecretKey,
    BILLING_WEBHOOK_SECRET: webhookSecret(options),
  };
  return {
    ...withoutEmptied(account, options.emptied),
    BILLING_API_URL: `http://127.0.0.1:${options.port + CONTROL_PORT_OFFSET}`,
  };
}

/** Drops the defaults of variables that are set to an empty value, as in a deployment without them. */
function withoutEmptied(defaults: Record<string, string>, emptied: ReadonlySet<string>): Record<string, string> {
  return Object.fromEntries(Object.entries(defaults).filter(([name]) => !emptied.has(name)));
}

/** The listener for delivery notifications and abuse reports. */
export function returnPort({ port, given }: StackOptions): number {
  return Number(given['EMAIL_RETURN_PORT'] ?? port + RETURN_PORT_OFFSET);
}

function emailEnvironment(options: StackOptions, smtpPort: number): Record<string, string> {
  return {
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    // The simulator has a self-signed certificate; the certificate of a real server is verified.
    ...(options.given['EMAIL_SMTP_URL'] === undefined ? { EMAIL_SMTP_VERIFY_TLS: 'false' } : {}),
    EMAIL_RETURN_PORT: String(returnPort(options)),
    EMAIL_RETURN_HOST: '127.0.0.1',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.heliograph.example',
    EMAIL_TOKEN_SECRET: LOCAL_SECRETS.emailTokenSecret,
    EMAIL_PLATFORM_FROM: 'no-reply@heliograph.example',
    // No name server: DNS queries do not leave this machine.
    EMAIL_DNS_SERVERS: '127.0.0.1:1',
  };
}
