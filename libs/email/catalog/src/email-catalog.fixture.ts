import { authEntities, authMigrations } from '@heliograph/auth';
import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { messagingMigrations } from '@heliograph/messaging';
import { localKeyRing } from '@heliograph/secrets';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { EmailCatalogService } from './catalog.service';
import type { EmailDomain } from './domains/domain.entity';
import type { EmailSenderDetails, EmailTemplateDetails } from './entry-details';
import { emailCatalogEntities, emailCatalogMigrations } from './migration-set';
import type { EmailSender } from './senders/sender.entity';
import type { EmailTemplate } from './templates/template.entity';

export const PAGE = { limit: 10, after: null };
export const WELCOME = {
  slug: 'welcome',
  name: 'Welcome',
  subject: 'Hi {{ name }}',
  html: '<p>{{ name }} {{ code }}</p>',
  text: null,
  unsubscribeScope: null,
};
export const refused = (code: string) => expect.objectContaining({ code });

/** The email catalog on a separate database. */
export class EmailCatalogFixture {
  readonly catalog = new EmailCatalogService(localKeyRing());
  /** The organization of the current test. */
  organizationId = newId();

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async start(): Promise<EmailCatalogFixture> {
    const database = await createTestDatabase([
      tenancyMigrations,
      messagingMigrations,
      authMigrations,
      emailCatalogMigrations,
    ]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 8 });
    const entities = [...tenancyEntities, ...authEntities, ...emailCatalogEntities];
    return new EmailCatalogFixture(
      database,
      await createDataSource(settings, 'email catalog spec', entities).initialize(),
    );
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  newOrganization(): void {
    this.organizationId = newId();
  }

  write<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** Uses a fixed key, because generating a key takes time. */
  async domain(name = 'acme.example', of = this.organizationId): Promise<EmailDomain> {
    const id = newId();
    await this.database.query(
      `INSERT INTO email.domains
         (id, organization_id, name, status, verification_token, dkim_selector, dkim_public_key, dkim_private_key, findings)
       VALUES ($1, $2, $3, 'pending', 'token', 'mail', 'public', 'private', '[]')`,
      [id, of, name],
    );
    return this.catalog.domainOf(this.dataSource.manager, of, id);
  }

  sender(details: Partial<EmailSenderDetails> = {}, of = this.organizationId): Promise<EmailSender> {
    const all = { address: 'hello@acme.example', name: 'Acme', isMain: false, ...details };
    return this.write((t) => this.catalog.createSender(t, of, all));
  }

  template(details: Partial<EmailTemplateDetails> = {}, of = this.organizationId): Promise<EmailTemplate> {
    return this.write((t) => this.catalog.createTemplate(t, of, { ...WELCOME, ...details }));
  }
}
