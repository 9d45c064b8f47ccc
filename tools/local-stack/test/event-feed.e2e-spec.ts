import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
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
  until,
  type TestDatabase,
} from '@heliograph/testing';
import type { TestService } from '@heliograph/testing';
import type { ServiceName } from '../src/routes';
import { serviceEnvironment } from '../src/service-environment';
import type { StackOptions } from '../src/stack.config';

const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ02';
const ORGANIZATION = `
organizations:
  - slug: feed
    name: Feed
    workspaces:
      - { slug: feed-main, displayName: Feed, plan: pro, status: active, credits: { sms: 1000, email: 1000 } }
    apiKeys:
      - { name: all, key: ${KEY}, scopes: [], role: owner, workspace: null, expiresAt: null, revoked: false }
    sms:
      onboardings:
        - { name: india, country: IN, status: approved, dltEntityId: "1101000000000000001" }
      senders:
        - { header: FEEDIN, onboarding: india, dltSenderId: "1105000000000000001", active: true }
      templates:
        - { name: otp, onboarding: india, body: "Your code is {{code}}", dltTemplateId: "1107000000000000001", active: true }
    email:
      domains:
        - { name: feed.example, status: verified }
      senders:
        - { address: hello@feed.example, name: Feed, main: true }
`;
const IMMEDIATE = 5;
const SCHEDULED = 3;
const SCHEDULE_MS = 2_000;
/** All services but bot-runtime, whose start needs the build of the widget. */
const START = {
  'sms-api': (start: Starter) => start(smsApi),
  'email-api': (start: Starter) => start(emailApi),
  'chatapp-api': (start: Starter) => start(chatappApi),
  'account-api': (start: Starter) => start(accountApi),
  'chatapp-hook': (start: Starter) => start(chatappHook),
  'billing-hook': (start: Starter) => start(billingHook),
};
const NAMES = Object.keys(START) as (keyof typeof START)[];
type Starter = <S extends ServiceConfig>(definition: ServiceDefinition<S>) => Promise<TestService>;

interface FeedPage {
  data: { type: string; data: { id: string } }[];
  next_cursor: string;
  has_more: boolean;
}

const carrier = new CarrierSimulator();
const mailbox = new MailboxSimulator();
const provider = new ProviderSimulator();

beforeAll(async () => {
  await carrier.start();
  await mailbox.start();
  await provider.start();
});
afterAll(async () => {
  await carrier.stop();
  await mailbox.stop();
  await provider.stop();
});

describe.each(['RabbitMQ', 'PostgreSQL'])('the event feed over %s', (bus) => {
  let database: TestDatabase;
  let prefix: string;
  let running: TestService[];
  beforeEach(async () => {
    const definitions = [smsApi, emailApi, chatappApi, chatappHook, accountApi, billingHook];
    database = await createTestDatabase([...new Set(definitions.flatMap(({ migrations }) => migrations))]);
    await provision(database.url, ORGANIZATION, 'feed.yaml', 'msg', loadSecretKeys({ isLocalStack: true }));
    prefix = `test-feed-${unique()}.`;
    running = [];
  });
  afterEach(async () => {
    await Promise.all(running.map((service) => service.stop()));
    await database.drop();
  });

  const starterOf =
    (more: Record<string, string> = {}): Starter =>
    async (definition) => {
      const options = { port: 0, dataDir: '.data', keyPrefix: 'msg', given: {}, emptied: new Set<string>() };
      const environment = serviceEnvironment(options as unknown as StackOptions, definition.name as ServiceName, {
        databaseUrl: database.url,
        gatewayAddress: '127.0.0.1',
        smppPort: carrier.smppPort,
        smtpPort: mailbox.smtpPort,
        graphUrl: provider.url,
        providerAccount: provider.account,
      });
      const service = await startTestService(definition, database.url, {
        ...environment,
        PORT: '0',
        EMAIL_RETURN_PORT: '',
        LOG_LEVEL: testServers.logLevel,
        AMQP_URL: bus === 'RabbitMQ' ? testServers.amqpUrl : '',
        AMQP_PREFIX: prefix,
        ...more,
      });
      running.push(service);
      return service;
    };
  const post = async ({ url }: TestService, path: string, body: object): Promise<void> => {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY },
      body: JSON.stringify(body),
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({ status: 202 });
  };
  const feedOf = async ({ url }: TestService): Promise<string[]> => {
    const seen: string[] = [];
    for (let after = '', more = true; more;) {
      const response = await fetch(`${url}/api/v1/events?limit=100${after && `&after=${after}`}`, {
        headers: { 'X-API-Key': KEY },
      });
      const page = (await response.json()) as FeedPage;
      seen.push(...page.data.map(({ type, data }) => `${type} ${data.id}`));
      after = page.next_cursor;
      more = page.has_more;
    }
    return seen;
  };

  /** Accepts messages without a relay, as before a SIGKILL: their events are in the outbox. */
  const acceptAndStop = async (): Promise<void> => {
    const api = { ROLE: 'api' };
    const sms = await starterOf(api)(smsApi);
    const email = await starterOf(api)(emailApi);
    let lastAt = 0;
    for (let n = 0; n < IMMEDIATE + SCHEDULED; n++) {
      // On a busy machine, the calls before may take longer than the time until a message is due.
      lastAt = Date.now() + SCHEDULE_MS;
      const later = n < IMMEDIATE ? {} : { scheduled_at: new Date(lastAt).toISOString() };
      const text = { to: `+91981111${String(n).padStart(4, '0')}`, message: `Your code is ${n}` };
      await post(sms, '/api/v1/sms/send', { ...text, ...later });
      const mail = { to: [`ann${n}@example.com`], from: 'hello@feed.example', subject: 'Hi', text: `${n}`, ...later };
      await post(email, '/api/v1/email/send', mail);
    }
    await Promise.all([sms.stop({ keepQueues: true }), email.stop({ keepQueues: true })]);
    running = [];
    await until('the scheduled messages are due', () => Date.now() > lastAt);
  };
  const expectedOf = async (): Promise<string[]> => {
    const sms = await database.query<{ id: string }>('SELECT id FROM sms.messages');
    const emails = await database.query<{ id: string }>(
      'SELECT id FROM email.messages WHERE organization_id IS NOT NULL',
    );
    expect([sms.length, emails.length]).toEqual([IMMEDIATE + SCHEDULED, IMMEDIATE + SCHEDULED]);
    return [
      ...sms.flatMap(({ id }) => [`sms.queued ${id}`, `sms.sent ${id}`, `sms.delivered ${id}`]),
      ...emails.flatMap(({ id }) => [`email.queued ${id}`, `email.sent ${id}`]),
    ].sort();
  };

  it.each(['sms-api', 'email-api', 'billing-hook', 'account-api'] as const)(
    'has every event of each accepted message once if the stack ends and %s starts first',
    async (first) => {
      await acceptAndStop();
      await START[first](starterOf());
      await until('the first service has published what it can', async () => {
        const due = await database.query('SELECT FROM messaging.outbox WHERE available_at <= now() LIMIT 1');
        return due.length === 0;
      });
      for (const name of NAMES.filter((each) => each !== first)) await START[name](starterOf());
      const account = running.find(({ name }) => name === 'account-api')!;
      const expected = await expectedOf();
      await until('the feed has all events', async () => (await feedOf(account)).length >= expected.length);
      expect((await feedOf(account)).sort()).toEqual(expected);
    },
    180_000,
  );
});
