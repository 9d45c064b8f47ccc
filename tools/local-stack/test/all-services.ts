import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { emailApi } from '@heliograph/email-api';
import { loadSecretKeys, provision } from '@heliograph/provision';
import type { ServiceConfig, ServiceDefinition } from '@heliograph/service-kit';
import { CarrierSimulator, MailboxSimulator, ProviderSimulator } from '@heliograph/simulators';
import { smsApi } from '@heliograph/sms-api';
import {
  createTestDatabase,
  startTestService,
  testServers,
  unique,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import type { ServiceName } from '../src/routes';
import { serviceEnvironment } from '../src/service-environment';
import type { StackOptions } from '../src/stack.config';

/** The API key of the provisioned organization. */
export const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ02';
const ORGANIZATION = `
organizations:
  - slug: watched
    name: Watched
    workspaces:
      - { slug: watched-main, displayName: Watched, plan: pro, status: active, credits: { sms: 1000, email: 1000, chatapp: 1000 } }
    apiKeys:
      - { name: all, key: ${KEY}, scopes: [], role: owner, workspace: null, expiresAt: null, revoked: false }
    sms:
      onboardings:
        - { name: india, country: IN, status: approved, dltEntityId: "1101000000000000001" }
      senders:
        - { header: WATCHD, onboarding: india, dltSenderId: "1105000000000000001", active: true }
      templates:
        - { name: otp, onboarding: india, body: "Your code is {{code}}", dltTemplateId: "1107000000000000001", active: true }
    email:
      domains:
        - { name: watched.example, status: verified }
      senders:
        - { address: hello@watched.example, name: Watched, main: true }
`;

/** All services over RabbitMQ with one database, simulators of the upstreams and one organization. */
export class AllServices {
  readonly running: TestService[] = [];
  readonly carrier = new CarrierSimulator();
  readonly mailbox = new MailboxSimulator();
  readonly provider = new ProviderSimulator();
  readonly logLines: string[] = [];
  private readonly prefix = `test-all-${unique()}.`;
  private widget = '';

  private constructor(
    readonly database: TestDatabase,
    private readonly environment: Record<string, string>,
  ) {}

  /** @param environment additional settings of every service */
  static async start(environment: Record<string, string> = {}): Promise<AllServices> {
    const definitions = [smsApi, emailApi, chatappApi, chatappHook, accountApi, billingHook, botRuntime];
    const database = await createTestDatabase([...new Set(definitions.flatMap(({ migrations }) => migrations))]);
    const services = new AllServices(database, environment);
    await Promise.all([services.carrier.start(), services.mailbox.start(), services.provider.start()]);
    await provision(database.url, ORGANIZATION, 'watched.yaml', 'msg', loadSecretKeys({ isLocalStack: true }));
    await services.startAll();
    return services;
  }

  of(name: ServiceName): TestService {
    const service = this.running.find((one) => one.name === name);
    if (!service) throw new Error(`${name} does not run`);
    return service;
  }

  async post(service: ServiceName, path: string, body: object, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await fetch(`${this.of(service).url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY, ...headers },
      body: JSON.stringify(body),
    });
    const answer: unknown = await response.json();
    if (!response.ok) throw new Error(`${response.status} ${JSON.stringify(answer)}`);
    return answer;
  }

  async get(service: ServiceName, path: string): Promise<unknown> {
    const response = await fetch(`${this.of(service).url}${path}`, { headers: { 'X-API-Key': KEY } });
    return response.json();
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.map((service) => service.stop()));
    await Promise.all([this.carrier.stop(), this.mailbox.stop(), this.provider.stop()]);
    await this.database.drop();
    await rm(this.widget, { recursive: true });
  }

  private async startAll(): Promise<void> {
    await this.startOne(smsApi);
    await this.startOne(emailApi);
    await this.startOne(chatappApi);
    await this.startOne(chatappHook);
    await this.startOne(accountApi);
    await this.startOne(billingHook);
    await this.startOne(botRuntime, { BOT_WIDGET_DIR: await this.widgetDirectory() });
  }

  private async startOne<S extends ServiceConfig>(
    definition: ServiceDefinition<S>,
    more: Record<string, string> = {},
  ): Promise<void> {
    const options = { port: 0, dataDir: '.data', keyPrefix: 'msg', given: {}, emptied: new Set<string>() };
    const environment = serviceEnvironment(options as unknown as StackOptions, definition.name as ServiceName, {
      databaseUrl: this.database.url,
      gatewayAddress: '127.0.0.1',
      smppPort: this.carrier.smppPort,
      smtpPort: this.mailbox.smtpPort,
      graphUrl: this.provider.url,
      providerAccount: this.provider.account,
    });
    const settings = {
      ...environment,
      PORT: '0',
      EMAIL_RETURN_PORT: '',
      LOG_LEVEL: testServers.logLevel,
      AMQP_URL: testServers.amqpUrl,
      AMQP_PREFIX: this.prefix,
      DATABASE_POOL_SIZE: '3',
      ...more,
      ...this.environment,
    };
    const isLogged = settings.LOG_LEVEL !== 'silent';
    const service = await startTestService(
      definition,
      this.database.url,
      settings,
      isLogged ? this.logLines : undefined,
    );
    this.running.push(service);
  }

  /** A folder with the files of the widget build, which are empty: nobody loads them here. */
  private async widgetDirectory(): Promise<string> {
    this.widget = await mkdtemp(path.join(os.tmpdir(), 'heliograph-'));
    const names = { loader: 'widget.js', script: 'frame.0000000000000000.js', style: 'frame.0000000000000000.css' };
    for (const name of Object.values(names)) await writeFile(path.join(this.widget, name), '');
    await writeFile(path.join(this.widget, 'manifest.json'), JSON.stringify(names));
    return this.widget;
  }
}
