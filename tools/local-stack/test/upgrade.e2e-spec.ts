import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { accountApi } from '@heliograph/account-api';
import { billingHook } from '@heliograph/billing-hook';
import { botRuntime } from '@heliograph/bot-runtime';
import { chatappApi } from '@heliograph/chatapp-api';
import { chatappHook } from '@heliograph/chatapp-hook';
import { migrate } from '@heliograph/database';
import { emailApi } from '@heliograph/email-api';
import type { ServiceConfig, ServiceDefinition } from '@heliograph/service-kit';
import { CarrierSimulator, MailboxSimulator, ProviderSimulator } from '@heliograph/simulators';
import { smsApi } from '@heliograph/sms-api';
import {
  createTestDatabase,
  startTestService,
  testServers,
  until,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import type { ServiceName } from '../src/routes';
import { serviceEnvironment } from '../src/service-environment';
import type { StackOptions } from '../src/stack.config';

/**
 * The database of a release with one organization, written by `pg_dump --inserts`. It is older than the columns that the
 * migration of bots was given afterwards. After a release, replace it with the database of that release.
 */
const RELEASED = path.join(__dirname, 'released', 'database.sql.gz');
const KEY = 'msg_live_0123456789abcdefghijABCDEFGHIJ03';
const SERVICES = [smsApi, emailApi, chatappApi, chatappHook, botRuntime, accountApi, billingHook];
const SCHEMAS = [...new Set(SERVICES.flatMap(({ migrations }) => migrations))];

describe('a database of the last release', () => {
  const carrier = new CarrierSimulator();
  const mailbox = new MailboxSimulator();
  let hookUrl = '';
  const provider = new ProviderSimulator({ hookUrl: () => hookUrl });
  const running: TestService[] = [];
  let database: TestDatabase;

  beforeAll(async () => {
    await Promise.all([carrier.start(), mailbox.start(), provider.start()]);
    database = await createTestDatabase([]);
    await database.query(gunzipSync(await readFile(RELEASED)).toString('utf8'));
    // The dump clears the search path of its session.
    await database.query('RESET ALL');
    await migrate(database.url, SCHEMAS);
  });
  afterAll(async () => {
    await Promise.all(running.map((service) => service.stop()));
    await database.drop();
    await Promise.all([carrier.stop(), mailbox.stop(), provider.stop()]);
  });

  const start = async <S extends ServiceConfig>(
    definition: ServiceDefinition<S>,
    more: Record<string, string> = {},
  ): Promise<TestService> => {
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
      AMQP_URL: '',
      ...more,
    });
    running.push(service);
    return service;
  };
  const post = async ({ url }: TestService, to: string, body: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}${to}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': KEY, ...headers },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  it('has the tables and columns of a new database', async () => {
    const fresh = await createTestDatabase(SCHEMAS);
    const columnsOf = async (one: TestDatabase) => {
      const rows = await one.query<{ column: string }>(
        `SELECT concat_ws(' ', table_schema, table_name, column_name, data_type, is_nullable, column_default) AS column
         FROM information_schema.columns
         WHERE table_schema NOT IN ('pg_catalog', 'information_schema', 'public', 'testing') AND table_name !~ '_w\\d+$'`,
      );
      return rows.map(({ column }) => column).sort();
    };
    const expected = await columnsOf(fresh);
    await fresh.drop();
    expect(await columnsOf(database)).toEqual(expected);
  });

  it('records the checksums of the migrations that were applied', async () => {
    const rows = await database.query<{ name: string }>('SELECT name FROM bots.migration_checksums ORDER BY name');
    expect(rows.map(({ name }) => name)).toContain('BotConversations1700000000001');
  });

  it('sends an SMS', async () => {
    const sms = await start(smsApi);
    const to = '+919811110001';
    expect(await post(sms, '/api/v1/sms/send', { to, message: 'Your code is 7' })).toMatchObject({ status: 202 });
    await until('the message is delivered', async () => {
      const delivered = await database.query(`SELECT FROM sms.messages WHERE status = 'delivered'`);
      return delivered.length === 1;
    });
  });

  it('sends an email', async () => {
    const email = await start(emailApi);
    const mail = { to: ['ann@example.com'], from: 'hello@upgraded.example', subject: 'Hi', text: 'Hi' };
    expect(await post(email, '/api/v1/email/send', mail)).toMatchObject({ status: 202 });
    await until('the mail arrives', () => mailbox.mails('ann@example.com').length === 1);
  });

  it('receives and sends a chat-app message', async () => {
    const hook = await start(chatappHook);
    hookUrl = `${hook.url}/api/chatapp/webhook`;
    const chatapp = await start(chatappApi);
    const to = '+919811110002';
    await provider.postInbound({ from: to, message: { type: 'text', text: { body: 'Hello?' } } });
    const reply = () => post(chatapp, '/chatapp/send', { to, text: 'Hello' });
    await until('the window is open', async () => (await reply()).status === 200);
  });

  it('starts a conversation with a bot, whose messages are stored', async () => {
    const widget = await mkdtemp(path.join(os.tmpdir(), 'heliograph-'));
    const names = { loader: 'widget.js', script: 'frame.0000000000000000.js', style: 'frame.0000000000000000.css' };
    for (const name of Object.values(names)) await writeFile(path.join(widget, name), '');
    await writeFile(path.join(widget, 'manifest.json'), JSON.stringify(names));
    const bots = await start(botRuntime, { BOT_WIDGET_DIR: widget });
    const started = await post(bots, '/api/v1/chat/conversations', { botId: 'bot_upgraded' });
    expect(started).toMatchObject({ status: 201 });
    const { conversation, conversationToken } = started.body as {
      conversation: { id: string };
      conversationToken: string;
    };
    const said = await post(
      bots,
      `/api/v1/chat/conversations/${conversation.id}/messages`,
      { message: 'What are your opening hours?' },
      { Authorization: `Bearer ${conversationToken}` },
    );
    expect(said.status).toBeLessThan(300);
    expect(JSON.stringify(said.body)).toContain('9 to 5');
  });
});
