import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { localKeyRing } from '@heliograph/secrets';
import { createTestDatabase, TestDnsServer, type TestDatabase } from '@heliograph/testing';
import type { DataSource } from 'typeorm';
import { EmailCatalogService } from '../catalog.service';
import { generateDkimKey, type DkimKey } from './dkim-key';
import { DomainChecks } from './domain-checks';
import type { EmailDomain } from './domain.entity';
import { DKIM_PRIVATE_KEY } from './domain-secrets';
import { emailDomainConfig } from './domains.config';
import { emailCatalogEntities, emailCatalogMigrations } from '../migration-set';

/** The checks of domains, with a separate database and DNS server. */
export class DomainChecksFixture {
  readonly catalog = new EmailCatalogService(localKeyRing());
  readonly checks: DomainChecks;
  /** A new organization for each test, with its own domain. */
  organizationId!: string;
  domain!: EmailDomain;
  private names = 0;

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
    readonly dns: TestDnsServer,
    private readonly key: DkimKey,
  ) {
    this.checks = new DomainChecks(dataSource, poolOf(dataSource), this.catalog, this.configOf());
  }

  static async start(): Promise<DomainChecksFixture> {
    const database = await createTestDatabase([messagingMigrations, emailCatalogMigrations]);
    const config = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    const dataSource = await createDataSource(config, 'domain checks spec', emailCatalogEntities).initialize();
    return new DomainChecksFixture(database, dataSource, await TestDnsServer.start(), await generateDkimKey());
  }

  async stop(): Promise<void> {
    await this.dns.stop();
    await this.dataSource.destroy();
    await this.database.drop();
  }

  async beforeTest(): Promise<void> {
    // The domains of earlier tests are not due.
    await this.database.query('DELETE FROM email.domains');
    this.organizationId = newId();
    this.domain = await this.addDomain(this.organizationId, `acme-${++this.names}.example`);
  }

  configOf(more: Record<string, string> = {}) {
    return emailDomainConfig.parse({
      EMAIL_DNS_SERVERS: this.dns.address,
      EMAIL_DNS_TIMEOUT_MS: '500',
      EMAIL_RETURN_PATH_DOMAIN: 'returns.platform.example',
      EMAIL_SPF_HOST: 'spf.platform.example',
      PUBLIC_TRACKING_URL: 'https://Links.platform.example/',
      ...more,
    });
  }

  /** Uses one key for all domains, because generating a key takes time. */
  async addDomain(of: string, name: string): Promise<EmailDomain> {
    const id = newId();
    const token = `token-${id}`;
    const selector = `mail-${id.slice(-8)}`;
    const sealed = DKIM_PRIVATE_KEY.seal(localKeyRing(), id, this.key.privateKey);
    await this.database.query(
      `INSERT INTO email.domains
         (id, organization_id, name, status, verification_token, dkim_selector, dkim_public_key, dkim_private_key, findings)
       VALUES ($1, $2, $3, 'pending', $4, $5, $6, $7, '[]')`,
      [id, of, name, token, selector, this.key.publicKey, sealed],
    );
    return this.catalog.domainOf(this.dataSource.manager, of, id);
  }

  read(id = this.domain.id, of = this.organizationId): Promise<EmailDomain> {
    return this.catalog.domainOf(this.dataSource.manager, of, id);
  }

  async verify(id = this.domain.id, of = this.organizationId): Promise<EmailDomain> {
    return (await this.checks.verify(of, id)).after;
  }

  publishAll(of = this.domain, except: string[] = []): void {
    const records = this.checks.recordsOf(of);
    this.dns.publish(...records.filter(({ required, purpose }) => required && !except.includes(purpose)));
  }

  nameOf(purpose: string, of = this.domain): string {
    return this.checks.recordsOf(of).find((record) => record.purpose === purpose)!.name;
  }

  /** Returns the status of each record by its purpose. */
  statuses(of: EmailDomain): Record<string, string> {
    return Object.fromEntries(this.checks.recordsOf(of).map(({ purpose, status }) => [purpose, status]));
  }

  async hoursAgo(column: string, hours: number, id = this.domain.id): Promise<void> {
    await this.database.query(`UPDATE email.domains SET ${column} = now() - make_interval(hours => $2) WHERE id = $1`, [
      id,
      hours,
    ]);
  }
}
