import { createDataSource, databaseConfigSchema, newId } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import { CatalogService, type SenderDetails, type TemplateDetails } from './catalog.service';
import { smsCatalogEntities, smsCatalogMigrations } from './migration-set';
import type { Onboarding } from './onboarding.entity';
import type { Sender } from './sender.entity';
import type { Template } from './template.entity';

export const PAGE = { limit: 10, after: null };
export const refused = (code: string) => expect.objectContaining({ code });

/** The catalog in a separate database, and helpers that create entries of the current organization. */
export class CatalogFixture {
  readonly catalog = new CatalogService();
  private organizationId = newId();

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async start(): Promise<CatalogFixture> {
    const database = await createTestDatabase([smsCatalogMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 4 });
    const dataSource = await createDataSource(settings, 'catalog spec', smsCatalogEntities).initialize();
    return new CatalogFixture(database, dataSource);
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  /** Replaces the current organization by a new one. */
  newOrganization(): string {
    this.organizationId = newId();
    return this.organizationId;
  }

  write<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  onboarding(of = this.organizationId, name = 'india'): Promise<Onboarding> {
    return this.write((transaction) =>
      this.catalog.createOnboarding(transaction, of, { name, country: 'IN', dltEntityId: '1101000000000000001' }),
    );
  }

  sender(details: Partial<SenderDetails> & { onboardingId: string }, of = this.organizationId): Promise<Sender> {
    return this.write((transaction) =>
      this.catalog.createSender(transaction, of, { header: 'ACMEIN', dltSenderId: '1105', isActive: true, ...details }),
    );
  }

  template(details: Partial<TemplateDetails> & { onboardingId: string }, of = this.organizationId): Promise<Template> {
    return this.write((transaction) =>
      this.catalog.createTemplate(transaction, of, {
        name: 'otp',
        body: 'Your code is {{code}}',
        dltTemplateId: '1107',
        isActive: true,
        ...details,
      }),
    );
  }
}
