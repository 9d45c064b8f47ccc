import { localKeyRing, signProcessorPayload } from '@heliograph/secrets';
import type { EventEnvelope, EventOf, mailRequested } from '@heliograph/contracts';
import { composeUser, Member, MembersService, User, UsersService, usersEntities } from '@heliograph/users';
import { BillingRecords, billingEntities, Dunning, Invoice, StoredReceipt, Subscription } from '@heliograph/billing';
import { poolOf } from '@heliograph/database';
import {
  createTestDatabase,
  fastPasswordHash,
  httpCall,
  perWorker,
  startTestService,
  tapEvents,
  TenantFactory,
  unique,
  until,
  type EventTap,
  type HttpResponse,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import { readMailContent, type MailContent } from '@heliograph/system-mail';
import { Workspace, type WorkspaceDetails } from '@heliograph/tenancy';
import { billingHook } from '../src/billing-hook.service';

export const SECRET = 'whsec_of_this_test';
export const PATH = '/api/webhooks/payments';

export interface BillingTenant {
  organizationId: string;
  workspaceId: string;
  customer: string;
  ownerEmail: string;
}

export interface PaymentEvent {
  id?: string;
  object?: string;
  type: string;
  created?: number;
  data: { object: Record<string, unknown> };
}

/** The complete payment receiver on real servers, with a subscriber to its events. */
export class BillingFixture {
  /** The service with its default environment, shared by the test files of a worker. */
  static readonly shared = perWorker(
    () => BillingFixture.start(),
    (fixture) => fixture.stop(),
  );

  private constructor(
    readonly database: TestDatabase,
    readonly tenants: TenantFactory,
    readonly amqpPrefix: string,
    private readonly tap: EventTap,
    public service: TestService,
    private readonly environment: Record<string, string>,
  ) {}

  static async start(
    environment: Record<string, string> | ((databaseUrl: string) => Record<string, string>) = {},
  ): Promise<BillingFixture> {
    const database = await createTestDatabase(billingHook.migrations);
    const tenants = await TenantFactory.connect(database.url, [...usersEntities, ...billingEntities]);
    const amqpPrefix = `test-${process.pid}-${unique()}.`;
    const tap = await tapEvents(amqpPrefix);
    const all = {
      AMQP_PREFIX: amqpPrefix,
      BILLING_SECRET_KEY: 'sk_test',
      BILLING_WEBHOOK_SECRET: SECRET,
      ...(typeof environment === 'function' ? environment(database.url) : environment),
    };
    const service = await startTestService(billingHook, database.url, all);
    return new BillingFixture(database, tenants, amqpPrefix, tap, service, all);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.tap.close();
    await this.tenants.close();
    await this.database.drop();
  }

  /** The records of workspaces, as account-api reads them. */
  get records(): BillingRecords {
    const { dataSource } = this.tenants;
    return new BillingRecords(
      dataSource.getRepository(Subscription),
      dataSource.getRepository(Dunning),
      dataSource.getRepository(Invoice),
      dataSource.getRepository(StoredReceipt),
    );
  }

  /** Restarts the service gracefully on the same database and queues. */
  async restart(environment: Record<string, string> = {}): Promise<void> {
    await this.service.stop({ keepQueues: true });
    this.service = await this.beside(environment);
  }

  /** Starts another process of the service; the caller stops it. */
  beside(environment: Record<string, string> = {}): Promise<TestService> {
    return startTestService(billingHook, this.database.url, { ...this.environment, ...environment });
  }

  /** Creates an organization with an owner and a workspace that a customer of the processor pays for. */
  async tenant(details: Partial<WorkspaceDetails> = {}): Promise<BillingTenant> {
    const { id: organizationId } = await this.tenants.organization();
    const customer = `cus_${unique()}`;
    const workspace = await this.tenants.workspace(organizationId, {
      plan: 'free',
      billingCustomer: customer,
      ...details,
    });
    const ownerEmail = `owner-${unique()}@acme.example`;
    await this.tenants.dataSource.transaction(async (transaction) => {
      const users = new UsersService(this.tenants.dataSource.getRepository(User), localKeyRing());
      const user = composeUser(ownerEmail, 'Owner', await fastPasswordHash('a long password'));
      await users.insert(transaction, user);
      await new MembersService(this.tenants.dataSource.getRepository(Member)).put(
        transaction,
        organizationId,
        user.id,
        'owner',
      );
    });
    return { organizationId, workspaceId: workspace.id, customer, ownerEmail };
  }

  /** Posts the body with a valid signature unless another one is given. */
  async post(
    body: string | Buffer,
    { signature, url = this.service.url, headers = {} }: PostOptions = {},
  ): Promise<HttpResponse> {
    const signed = signature === undefined ? signProcessorPayload(body, SECRET, nowSeconds()) : signature;
    return httpCall(`${url}${PATH}`, {
      method: 'POST',
      headers: { ...(signed === null ? {} : { 'Processor-Signature': signed }), ...headers },
      json: body,
    });
  }

  /** Posts an event that must be accepted; returns its id. */
  async send(event: PaymentEvent, options: PostOptions = {}): Promise<string> {
    const id = event.id ?? newEventId();
    const { status, body } = await this.post(JSON.stringify({ object: 'event', ...event, id }), options);
    if (status !== 200) throw new Error(`the event returned ${status} ${JSON.stringify(body)}`);
    return id;
  }

  /** Posts an event and waits until it is applied. */
  async settle(event: PaymentEvent): Promise<string> {
    const id = await this.send(event);
    await this.settled(id);
    return id;
  }

  async settled(...ids: string[]): Promise<void> {
    await until('the events are settled', async () => {
      const { rows } = await poolOf(this.tenants.dataSource).query(
        'SELECT FROM billing.events WHERE id = ANY($1) AND settled_at IS NOT NULL',
        [ids],
      );
      return rows.length === new Set(ids).size;
    });
  }

  async workspace({ workspaceId }: BillingTenant): Promise<{ plan: string; status: string }> {
    const workspaces = this.tenants.dataSource.getRepository(Workspace);
    const { plan, status } = await workspaces.findOneByOrFail({ id: workspaceId });
    return { plan, status };
  }

  /** Returns how many events were processed with an outcome. */
  async settledWith(outcome: string): Promise<number> {
    const { text } = await httpCall(`${this.service.url}/metrics`);
    const sample = new RegExp(`billing_events_settled_total\\{[^}]*outcome="${outcome}"[^}]*\\} (\\d+)`);
    return Number(sample.exec(text)?.[1] ?? 0);
  }

  /** Returns how often the job of an event was published. */
  jobsOf(eventId: string): number {
    const jobs = this.tap.events.filter(({ type }) => type === 'billing.event.received');
    return jobs.filter(({ data }) => (data as { eventId: string }).eventId === eventId).length;
  }

  /** Returns the published events of one type of a tenant. */
  events({ workspaceId }: BillingTenant, type: string): EventEnvelope<Record<string, unknown>>[] {
    return this.tap.events.filter(
      (event): event is EventEnvelope<Record<string, unknown>> =>
        event.workspaceId === workspaceId && event.type === type,
    );
  }

  /** Returns the requested emails when the given number has been reached. */
  async mails(tenant: BillingTenant, count: number): Promise<Mail[]> {
    const requests = () => this.events(tenant, 'mail.requested').map(({ data }) => data as MailRequestData);
    await until(`${count} emails were requested`, () => requests().length >= count);
    const pool = poolOf(this.tenants.dataSource);
    return Promise.all(
      requests().map(async ({ purpose, to, contentId }) => {
        const content = await readMailContent(pool, contentId);
        if (content === null) throw new Error(`the mail to ${to.join()} has no content`);
        return { purpose, to, ...content };
      }),
    );
  }
}

export interface PostOptions {
  /** `null` sends no signature. */
  signature?: string | null;
  url?: string;
  headers?: Record<string, string>;
}

type MailRequestData = EventOf<typeof mailRequested>['data'];

export type Mail = Omit<MailRequestData, 'contentId'> & MailContent;

export function newEventId(): string {
  return `evt_${unique()}`;
}

export function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}
