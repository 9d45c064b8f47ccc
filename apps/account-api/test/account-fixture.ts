import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { localKeyRing } from '@heliograph/secrets';
import type { Role } from '@heliograph/contracts';
import {
  createTestDatabase,
  fastPasswordHash,
  OpenApiCheck,
  perWorker,
  httpCall,
  startTestService,
  TenantFactory,
  unique,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import type { Workspace } from '@heliograph/tenancy';
import { composeUser, Member, MembersService, User, UsersService, usersEntities } from '@heliograph/users';
import { accountApi } from '../src/account-api.service';

export const PASSWORD = 'correct horse battery staple';
export const OPERATOR_TOKEN = 'operator-token-of-the-tests-0123456789';

/** Allows deliveries to servers of the tests. */
export const LOOPBACK_WEBHOOKS = { WEBHOOK_ALLOW_HTTP: 'true', WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8' };

export interface Answer<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  ok: boolean | undefined;
  data: T;
  error: { code: string; message: string };
}

/** The credentials of a call: a session cookie, a key, the operator token, or none. */
export interface Credentials {
  cookie?: string;
  key?: string;
  operator?: boolean;
}

export interface Tenant {
  organizationId: string;
  workspace: Workspace;
  owner: User;
  /** An unrestricted key with the role owner. */
  key: string;
}

/** Runs account-api on a separate database and creates tenants. */
export class AccountFixture {
  /**
   * The service with its default environment, shared by the test files of a worker. Webhooks may be delivered to
   * loopback addresses, and reports are written to a folder of the worker.
   */
  static readonly shared = perWorker(
    async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'reports-'));
      return AccountFixture.start({ ...LOOPBACK_WEBHOOKS, REPORTS_DIR: folder });
    },
    async (fixture) => {
      await fixture.stop();
      await rm(fixture.reportsFolder, { recursive: true, force: true });
    },
  );

  /** The service behind one trusted proxy, shared by the test files of a worker. */
  static readonly sharedBehindProxy = perWorker(
    () => AccountFixture.start({ TRUST_PROXY: '1' }),
    (fixture) => fixture.stop(),
  );

  /** The document is the same with every configuration. */
  private static openApi: OpenApiCheck | undefined;

  private constructor(
    readonly database: TestDatabase,
    readonly factory: TenantFactory,
    readonly users: UsersService,
    readonly members: MembersService,
    public service: TestService,
    readonly openApi: OpenApiCheck,
    private readonly environment: Record<string, string>,
  ) {}

  static async start(environment: Record<string, string> = {}): Promise<AccountFixture> {
    const database = await createTestDatabase(accountApi.migrations);
    const factory = await TenantFactory.connect(database.url, usersEntities);
    const settings = {
      ACCOUNT_AUTH_RATE_PER_MINUTE: '0',
      ACCOUNT_RATE_PER_MINUTE: '0',
      PLATFORM_OPERATOR_TOKEN: OPERATOR_TOKEN,
      PERSON_HASH_KEYS: 'person-hash-key-of-the-tests-0123456789',
      PUBLIC_BASE_URL: 'http://console.example',
      ...environment,
    };
    const service = await startTestService(accountApi, database.url, settings);
    const { dataSource } = factory;
    AccountFixture.openApi ??= await OpenApiCheck.read(service.url);
    const users = new UsersService(dataSource.getRepository(User), localKeyRing());
    const members = new MembersService(dataSource.getRepository(Member));
    return new AccountFixture(database, factory, users, members, service, AccountFixture.openApi, settings);
  }

  /** Starts a second process with the same database and queues. Stop only its `service`. */
  async beside(environment: Record<string, string> = {}): Promise<AccountFixture> {
    const own: Record<string, string> = { ...this.environment, ...environment, AMQP_PREFIX: this.service.amqpPrefix };
    const service = await startTestService(accountApi, own['DATABASE_URL'] ?? this.database.url, own);
    return new AccountFixture(this.database, this.factory, this.users, this.members, service, this.openApi, own);
  }

  /** The folder in which the service writes the reports. */
  get reportsFolder(): string {
    return this.environment['REPORTS_DIR']!;
  }

  /** Restarts the service gracefully on the same database and queues. */
  async restart(): Promise<void> {
    const { amqpPrefix } = this.service;
    await this.service.stop({ keepQueues: true });
    const environment = { ...this.environment, AMQP_PREFIX: amqpPrefix };
    this.service = await startTestService(accountApi, this.database.url, environment);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.factory.close();
    await this.database.drop();
  }

  /** Creates an organization with a workspace, an owner and a key. */
  async tenant(): Promise<Tenant> {
    const { id: organizationId } = await this.factory.organization();
    const workspace = await this.factory.workspace(organizationId);
    const owner = await this.user(organizationId, 'owner');
    return { organizationId, workspace, owner, key: await this.factory.key(organizationId) };
  }

  user(organizationId: string | null, role: Role, email = `${role}-${unique()}@example.com`): Promise<User> {
    return this.factory.dataSource.transaction(async (transaction) => {
      const user = composeUser(email, `The ${role}`, await fastPasswordHash(PASSWORD));
      await this.users.insert(transaction, user);
      if (organizationId !== null) await this.members.put(transaction, organizationId, user.id, role);
      return user;
    });
  }

  /** Logs in and returns the session cookie. */
  async login(email: string, password = PASSWORD): Promise<string> {
    const answer = await this.call('POST', '/api/auth/login', { body: { email, password } });
    if (answer.status !== 200) throw new Error(`login of ${email}: ${JSON.stringify(answer.error)}`);
    return cookieOf(answer, 'session');
  }

  /** Returns the number of known devices of a user. */
  async devicesOf(userId: string): Promise<number> {
    return (await this.database.query('SELECT 1 FROM users.devices WHERE user_id = $1', [userId])).length;
  }

  /** Sends a request as a page of the same origin does, unless the headers override this. */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    {
      body,
      cookie,
      key,
      operator,
      headers = {},
    }: Credentials & { body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<Answer<T>> {
    const response = await httpCall<Partial<Answer<T>>>(`${this.service.url}${path}`, {
      method,
      headers: {
        ...(cookie === undefined ? {} : { cookie, origin: this.service.url }),
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(operator ? { authorization: `Bearer ${OPERATOR_TOKEN}` } : {}),
        ...headers,
      },
      json: body,
      closesStreams: true,
    });
    const { status, body: json } = response;
    const contentType = response.headers.get('content-type');
    // Every response of every test is validated against the OpenAPI document of the service.
    const problem = this.openApi.problems(method, path.split('?')[0]!, status, contentType, json);
    if (problem !== null) throw new Error(problem);
    // Errors of the v1 API have no `error` property, but the tests read all errors from one.
    const flat = json as Partial<Answer['error']>;
    if (path.startsWith('/api/v1/') && status >= 400) json.error = { ...flat } as Answer['error'];
    return { status, headers: response.headers, ...json } as Answer<T>;
  }

  /**
   * Calls an endpoint of the v1 API, whose responses have no envelope. Returns the fields of the response with the HTTP status and
   * the headers, which a field of the same name hides.
   */
  async v1<T>(method: string, path: string, options: Parameters<AccountFixture['call']>[2] = {}): Promise<T> {
    const answer: unknown = await this.call(method, path, options);
    return answer as T;
  }
}

/** Returns `name=value` of a cookie that the response sets. */
export function cookieOf({ headers }: { headers: Headers }, name: string): string {
  const cookie = headers.getSetCookie().find((line) => line.startsWith(`${name}=`));
  if (cookie === undefined) throw new Error(`the response sets no cookie ${name}`);
  return cookie.split(';')[0]!;
}
