import { localKeyRing } from '@heliograph/secrets';
import { newId, poolOf, type MigrationSet } from '@heliograph/database';
import {
  DKIM_PRIVATE_KEY,
  emailCatalogEntities,
  EmailCatalogService,
  type EmailTemplate,
  type EmailTemplateDetails,
} from '@heliograph/email-catalog';
import { MailboxSimulator } from '@heliograph/simulators';
import {
  createTestDatabase,
  perWorker,
  startTestService,
  TenantFactory,
  unique,
  type TestDatabase,
  type TestService,
} from '@heliograph/testing';
import { balanceOf } from '@heliograph/credits';
import { emailApi } from '../src/email-api.service';
import { ReturnsService } from '../src/returns/returns.service';

/** An organization that can send: it has a verified domain, a main sender, a key and credits. */
export interface EmailTenant {
  organizationId: string;
  workspaceId: string;
  key: string;
  domain: string;
  from: string;
}

export const TOKEN_SECRET = 'a secret of the tests';

/** The complete email service on real servers, with a mailbox simulator. */
export class EmailFixture {
  /** The service with its default environment, shared by the test files of a worker. */
  static readonly shared = perWorker(
    () => EmailFixture.start(),
    (fixture) => fixture.stop(),
  );

  private recipients = 0;
  private firstDomainId: string | null = null;

  private constructor(
    readonly database: TestDatabase,
    readonly tenants: TenantFactory,
    readonly catalog: EmailCatalogService,
    readonly mailbox: MailboxSimulator,
    public service: TestService,
    private readonly environment: Record<string, string>,
  ) {}

  static async start(
    options: { environment?: Record<string, string> | ((databaseUrl: string) => Record<string, string>) } = {},
  ): Promise<EmailFixture> {
    const database = await createTestDatabase(emailApi.migrations as MigrationSet[]);
    const tenants = await TenantFactory.connect(database.url, emailCatalogEntities);
    const mailbox = new MailboxSimulator();
    await mailbox.start();
    const environment = {
      ...emailEnvironment(mailbox.smtpPort),
      ...(typeof options.environment === 'function' ? options.environment(database.url) : options.environment),
    };
    const service = await startTestService(emailApi, database.url, environment);
    const fixture = new EmailFixture(
      database,
      tenants,
      new EmailCatalogService(localKeyRing()),
      mailbox,
      service,
      environment,
    );
    fixture.findReturnPath();
    return fixture;
  }

  /** Starts a second process with the same database, queues and mailbox. Stop only its `service`. */
  async beside(environment: Record<string, string> = {}): Promise<EmailFixture> {
    const { database, tenants, catalog, mailbox } = this;
    const own = { ...this.environment, ...environment, AMQP_PREFIX: this.service.amqpPrefix };
    const service = await startTestService(emailApi, database.url, own);
    return new EmailFixture(database, tenants, catalog, mailbox, service, own);
  }

  async stop(): Promise<void> {
    await this.service.stop();
    await this.mailbox.stop();
    await this.tenants.close();
    await this.database.drop();
  }

  /** Restarts the service gracefully on the same database and queues. */
  async restart(environment: Record<string, string> = {}): Promise<void> {
    const { amqpPrefix } = this.service;
    await this.service.stop({ keepQueues: true });
    this.service = await startTestService(emailApi, this.database.url, {
      ...this.environment,
      ...environment,
      AMQP_PREFIX: amqpPrefix,
    });
    this.findReturnPath();
  }

  get url(): string {
    return this.service.url;
  }

  /** Returns an address that is unique within the test file. */
  recipient(name = 'ann'): string {
    this.recipients += 1;
    return `${name}-${this.recipients}-${unique()}@example.com`;
  }

  /** Creates a separate tenant, so that tests are isolated. */
  async tenant(
    overrides: {
      credits?: number;
      key?: Parameters<TenantFactory['key']>[1];
      ipAllowlist?: string[];
    } = {},
  ): Promise<EmailTenant> {
    const organization = await this.tenants.organization({ ipAllowlist: overrides.ipAllowlist ?? [] });
    const workspace = await this.tenants.workspace(organization.id, { credits: { email: overrides.credits ?? 1_000 } });
    const domain = `${unique()}.example`;
    const from = `hello@${domain}`;
    await this.verifiedDomain(organization.id, domain);
    await this.catalog.putSender(this.tenants.dataSource.manager, organization.id, {
      address: from,
      name: 'Acme',
      isMain: true,
    });
    const key = await this.tenants.key(organization.id, overrides.key);
    return { organizationId: organization.id, workspaceId: workspace.id, key, domain, from };
  }

  /** Generating a DKIM key takes 100 ms or more, so all domains use the key of the first one. */
  private async verifiedDomain(organizationId: string, name: string): Promise<void> {
    if (this.firstDomainId === null) {
      const { id } = await this.catalog.putDomain(this.tenants.dataSource.manager, organizationId, {
        name,
        status: 'verified',
        expiresAt: null,
      });
      this.firstDomainId = id;
      return;
    }
    const keys = localKeyRing();
    const [first] = await this.rows<{ sealed: string }>(
      'SELECT dkim_private_key AS sealed FROM email.domains WHERE id = $1',
      [this.firstDomainId],
    );
    const privateKey = DKIM_PRIVATE_KEY.open(keys, this.firstDomainId, first!.sealed);
    const id = newId();
    await this.rows(
      `INSERT INTO email.domains (id, organization_id, name, status, verified_by, verification_token, dkim_selector,
         dkim_public_key, dkim_private_key, findings, verified_at)
       SELECT $1, $2, $3, status, verified_by, verification_token, dkim_selector, dkim_public_key, $5,
         findings, verified_at FROM email.domains WHERE id = $4`,
      [id, organizationId, name, this.firstDomainId, DKIM_PRIVATE_KEY.seal(keys, id, privateKey)],
    );
  }

  template(organizationId: string, details: Partial<EmailTemplateDetails> = {}): Promise<EmailTemplate> {
    return this.catalog.putTemplate(this.tenants.dataSource.manager, organizationId, {
      slug: `welcome-${unique()}`,
      name: 'Welcome',
      subject: 'Hi {{ name }}',
      html: '<p>Hi {{ name }}</p>',
      text: 'Hi {{ name }}',
      unsubscribeScope: null,
      ...details,
    });
  }

  balance(workspaceId: string): Promise<number> {
    return balanceOf(poolOf(this.tenants.dataSource), workspaceId, 'email');
  }

  /** Runs a query on the database of the service. */
  async rows<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
    return (await poolOf(this.tenants.dataSource).query<T>(sql, values)).rows;
  }

  private findReturnPath(): void {
    const { port } = this.service.app.get(ReturnsService);
    if (port !== null) this.mailbox.returnPath = { host: '127.0.0.1', port };
  }
}

/** Returns the environment for a mailbox on this port, with short timeouts. */
export function emailEnvironment(smtpPort: number): Record<string, string> {
  return {
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${smtpPort}`,
    EMAIL_SMTP_REQUIRE_TLS: 'false',
    EMAIL_SMTP_VERIFY_TLS: 'false',
    EMAIL_SMTP_TIMEOUT_MS: '9000',
    EMAIL_CALL_DEADLINE_MS: '10000',
    EMAIL_LEASE_MS: '1500',
    EMAIL_TOKEN_SECRET: TOKEN_SECRET,
    EMAIL_RETURN_PORT: '0',
    EMAIL_RETURN_HOST: '127.0.0.1',
    EMAIL_RETURN_PATH_DOMAIN: 'bounces.heliograph.example',
    EMAIL_PLATFORM_FROM: 'no-reply@heliograph.example',
    PUBLIC_TRACKING_URL: 'https://track.heliograph.example',
  };
}
