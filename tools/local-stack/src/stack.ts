import { readFile } from 'node:fs/promises';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { mayCreateRoles, migrate, type DatabaseAccess, type MigrationSet } from '@heliograph/database';
import { emailApi } from '@heliograph/email-api';
import { startService, type ServiceConfig, type RunningService, type ServiceDefinition } from '@heliograph/service-kit';
import {
  CarrierSimulator,
  createControlApi,
  MailboxSimulator,
  PaymentsSimulator,
  WebhookInbox,
  ProviderSimulator,
} from '@heliograph/simulators';
import { smsApi } from '@heliograph/sms-api';
import type { DestinationStream } from 'pino';
import { loadSecretKeys, provision, readProvisioningFile, showGenerated } from '@heliograph/provision';
import { banner } from './demo/banner';
import type { Closers } from './closers';
import { DataDir } from './data-dir';
import { findDemoBot, type DemoBot } from './demo/demo-bot';
import { findDemoChat, type DemoChat } from './demo/demo-chat';
import { findDemoCall, type DemoCall } from './demo/demo-call';
import { findDemoEmail, type DemoEmail } from './demo/demo-email';
import { findDemoLogin, type DemoLogin } from './demo/demo-login';
import { connectDemoWebhook, findWebhookKey } from './demo/demo-webhook';
import { DemoSite } from './demo-site/demo-site';
import { gatewayAddress } from './gateway-address';
import { Gateway } from './gateway/gateway';
import { trustedProxies } from './gateway/trusted-proxies';
import { lookAt, readiness } from './gateway/readiness';
import { EmbeddedPostgres, findDatabaseFolder } from './postgres/embedded-postgres';
import { SERVICES, type ServiceName } from './routes';
import {
  chatappAccount,
  gatewayUrl,
  operatorToken,
  returnPort,
  serviceEnvironment,
  servicePort,
  signatureHeader,
  webhookSecret,
} from './service-environment';
import { serviceLog } from './service-log';
import { CONTROL_PORT_OFFSET, DEMO_PORT_OFFSET, UsageError, type StackOptions } from './stack.config';

const READY_TIMEOUT_MS = 30_000;
/** A real carrier may be unavailable; the stack can still be used. */
const SETTLED_TIMEOUT_MS = 5_000;
const LOOK_AGAIN_MS = 50;
const GATEWAY_GRACE_MS = 5_000;
/** Variables that replace a simulator with a real upstream. */
const LEADS_ELSEWHERE = ['SMS_CARRIERS', 'EMAIL_SMTP_URL', 'EMAIL_DNS_SERVERS', 'CHATAPP_GRAPH_URL'];

interface LocalService {
  migrations: MigrationSet[];
  access: DatabaseAccess;
  start(env: Record<string, string>, log: DestinationStream): Promise<RunningService>;
}

function local<S extends ServiceConfig>(definition: ServiceDefinition<S>): LocalService {
  const { migrations, access } = definition;
  return { migrations, access, start: (env, log) => startService(definition, env, log) };
}

const DEFINITIONS: Readonly<Record<ServiceName, LocalService>> = {
  'sms-api': local(smsApi),
  'email-api': local(emailApi),
  'chatapp-api': local(chatappApi),
  'bot-runtime': local(botRuntime),
  'account-api': local(accountApi),
  'chatapp-hook': local(chatappHook),
  'billing-hook': local(billingHook),
};

/** Starts everything in the order of dependencies and prints the banner. */
export async function startStack(options: StackOptions, closers: Closers): Promise<void> {
  const startedAt = performance.now();
  const data = await DataDir.claim(options.dataDir);
  await closers.add('the data folder', () => data.release());
  const databaseFolder = options.databaseUrl === undefined ? await findDatabaseFolder(options.dataDir) : null;
  if (options.reset) await data.reset(databaseFolder);
  await data.rotateLogs(['postgres', ...SERVICES]);

  const carrier = new CarrierSimulator();
  const payments = new PaymentsSimulator({
    hookUrl: `http://127.0.0.1:${options.port}/api/webhooks/payments`,
    secret: webhookSecret(options),
    signatureHeader: signatureHeader(options),
  });
  const mailbox = new MailboxSimulator({ returnPath: { host: '127.0.0.1', port: returnPort(options) } });
  const provider = new ProviderSimulator({
    hookUrl: `http://127.0.0.1:${options.port}/api/chatapp/webhook`,
    dataDir: data.providerFolder,
    ...chatappAccount(options),
  });
  const webhookInbox = new WebhookInbox();
  const control = createControlApi({ carrier, mailbox, payments, provider, webhookInbox });
  await carrier.start();
  await closers.add('the carrier simulator', () => carrier.stop());
  await mailbox.start();
  await closers.add('the mailbox simulator', () => mailbox.stop());
  await provider.start();
  await closers.add('the provider simulator', () => provider.stop());
  const controlPort = options.port + CONTROL_PORT_OFFSET;
  await listening('the control API of the simulators', controlPort, () => control.start(controlPort));
  await closers.add('the control API', () => control.stop());

  const databaseUrl = options.databaseUrl ?? (await startDatabase(databaseFolder ?? '', data, closers));
  const hasRoles = await migrateAll(databaseUrl);
  const { webhookKey, ...demos } = await fill(options, databaseUrl);

  const address = await gatewayAddress();
  const ports = new Map<ServiceName, number>();
  const surroundings = {
    databaseUrl,
    gatewayAddress: address,
    smppPort: carrier.smppPort,
    smtpPort: mailbox.smtpPort,
    graphUrl: provider.url,
    providerAccount: provider.account,
  };
  for (const name of SERVICES) {
    const definition = DEFINITIONS[name];
    const env = {
      ...serviceEnvironment(options, name, surroundings),
      ...(hasRoles ? { DATABASE_ROLE: definition.access.role } : {}),
    };
    const port = servicePort(options, name);
    const log = serviceLog(data.logFile(name), options.logLevel);
    const service = await listening(name, port, () => definition.start(env, log));
    await closers.add(name, () => service.stop());
    ports.set(name, service.port);
  }

  const controlUrl = `http://localhost:${controlPort}`;
  const { keyPrefix } = options;
  await data.publish({ pid: process.pid, databaseUrl, keyPrefix, gatewayUrl: gatewayUrl(options), controlUrl });
  const gateway = new Gateway({
    services: ports,
    localAddress: address,
    isTrusted: trustedProxies(options.given['TRUST_PROXY']),
  });
  await listening('the gateway', options.port, () => gateway.listen(options.port, '127.0.0.1'));
  await closers.add('the gateway', () => gateway.stop(GATEWAY_GRACE_MS));
  // localhost may be either address; not every machine has IPv6.
  await gateway.listen(options.port, '::1').catch(() => undefined);

  const demoSite = demos.demoBot && new DemoSite(gatewayUrl(options), demos.demoBot);
  if (demoSite) {
    const demoPort = options.port + DEMO_PORT_OFFSET;
    await listening('the demo page', demoPort, () => demoSite.listen(demoPort));
    await closers.add('the demo page', () => demoSite.stop());
  }

  await waitUntilReady(ports);
  const demoWebhook =
    webhookKey &&
    (await connectDemoWebhook(webhookKey, {
      gatewayUrl: gatewayUrl(options),
      controlPort,
      setSecret: (secret) => webhookInbox.setSecrets([secret]),
    }));
  console.log(
    banner({
      gatewayUrl: gatewayUrl(options),
      controlUrl,
      services: ports,
      database:
        options.databaseUrl === undefined
          ? `${databaseUrl}   stored in ${databaseFolder}`
          : 'the database of DATABASE_URL',
      logs: data.logFile('*'),
      ...demos,
      demoPageUrl: demoSite?.url ?? null,
      demoWebhook: demoWebhook || null,
      operatorToken: operatorToken(options),
      staysHere: LEADS_ELSEWHERE.every((name) => options.given[name] === undefined),
      startedInMs: performance.now() - startedAt,
    }),
  );
}

async function startDatabase(folder: string, data: DataDir, closers: Closers): Promise<string> {
  const postgres = await EmbeddedPostgres.start(folder, data.logFile('postgres'), (text) => console.warn(text));
  await closers.add('the database', () => postgres.stop());
  return postgres.url;
}

interface Demos {
  demo: DemoCall | null;
  demoLogin: DemoLogin | null;
  demoEmail: DemoEmail | null;
  demoChat: DemoChat | null;
  demoBot: DemoBot | null;
  /** Null for user data, whose webhooks are not changed. */
  webhookKey: string | null;
}

/** Applies the provisioning file and picks the demo data from it. */
async function fill({ provisioningFile, keyPrefix, given }: StackOptions, databaseUrl: string): Promise<Demos> {
  const text = await readFile(provisioningFile, 'utf8');
  const report = await provision(
    databaseUrl,
    text,
    provisioningFile,
    keyPrefix,
    loadSecretKeys({ isLocalStack: true }),
  );
  for (const line of [...report.notes, ...showGenerated(report)]) console.log(line);
  const { file } = readProvisioningFile(text, provisioningFile);
  return {
    demo: findDemoCall(file, report),
    demoLogin: given['PROVISION'] === undefined ? findDemoLogin(file) : null,
    demoEmail: findDemoEmail(file, report),
    demoChat: findDemoChat(file, report),
    demoBot: findDemoBot(file),
    webhookKey: given['PROVISION'] === undefined ? findWebhookKey(file, report) : null,
  };
}

/** Names the port if it is in use. */
async function listening<T>(name: string, port: number, start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    throw new UsageError(
      `Port ${port} of ${name} is in use. Stop the process that listens on it, or set another PORT.`,
    );
  }
}

async function waitUntilReady(ports: ReadonlyMap<ServiceName, number>): Promise<void> {
  const isReady = async (): Promise<boolean> => (await readiness(ports)).status !== 'unavailable';
  if (!(await waitFor(isReady, READY_TIMEOUT_MS)))
    throw new Error('The services did not become ready. See the logs for the reason.');
  await waitFor(async () => {
    const states = await Promise.all([...ports.values()].map(lookAt));
    return states.every(({ checks }) => Object.values(checks).every((state) => state === 'ok'));
  }, SETTLED_TIMEOUT_MS);
}

async function waitFor(condition: () => Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
  }
  return true;
}

/**
 * Migrates the schemas of all services. Returns whether each service has its own role: the user of a given database may
 * lack the privilege to create roles.
 */
async function migrateAll(databaseUrl: string): Promise<boolean> {
  const definitions = SERVICES.map((name) => DEFINITIONS[name]);
  const hasRoles = await mayCreateRoles(databaseUrl);
  const access = hasRoles ? definitions.map((definition) => definition.access) : [];
  await migrate(databaseUrl, [...new Set(definitions.flatMap(({ migrations }) => migrations))], { access });
  return hasRoles;
}
