import { findAnswers, botSearchMigrations } from '@heliograph/bot-search';
import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { DataSource, EntityManager } from 'typeorm';
import type { BotKey } from './bot-access';
import { BotCatalogService, type BotHome } from './bot-catalog.service';
import { BotContentService } from './bot-content.service';
import type { BotDetails } from './bot-details';
import type { ContentKind } from './content/content-kind';
import type { LiveItem } from './entities/live-item';
import { botCatalogEntities, botCatalogMigrations } from './migration-set';

/** The catalog on a separate database. */
export class CatalogFixture {
  readonly catalog = new BotCatalogService();
  readonly content = new BotContentService();

  private constructor(
    readonly database: TestDatabase,
    readonly dataSource: DataSource,
  ) {}

  static async start(): Promise<CatalogFixture> {
    const database = await createTestDatabase([botCatalogMigrations, botSearchMigrations]);
    const settings = databaseConfigSchema.parse({
      DATABASE_URL: database.url,
      DATABASE_POOL_SIZE: 8,
      // On a busy machine, concurrent writes of one bot can wait for each other longer than the default time limit.
      DATABASE_STATEMENT_TIMEOUT_MS: 60_000,
      DATABASE_CONNECT_TIMEOUT_MS: 30_000,
    });
    return new CatalogFixture(
      database,
      await createDataSource(settings, 'bot catalog spec', botCatalogEntities).initialize(),
    );
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  write<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** Creates a draft, by default in a new workspace. */
  async bot(details: Partial<BotDetails> = {}, home: BotHome = newHome()): Promise<BotKey> {
    const { publicId } = await this.write((t) => this.catalog.create(t, home, { name: 'Acme Help', ...details }));
    return { ...home, publicId };
  }

  createItem<Item extends LiveItem, Details extends object>(
    key: BotKey,
    kind: ContentKind<Item, Details>,
    details: Partial<Details>,
  ): Promise<Item> {
    return this.write((t) => this.content.create(t, key, kind, { ...kind.defaults, ...details } as Details));
  }

  /** Returns the titles of the items that the bot finds for a question. */
  async finds(key: BotKey, text: string): Promise<string[]> {
    const { bot } = await this.catalog.read(this.dataSource.manager, key);
    const question = { botId: bot.id, locale: bot.locale, text, synonyms: [] };
    const { faqs, knowledge } = await findAnswers(poolOf(this.dataSource), question);
    return [...faqs, ...knowledge].map(({ title }) => title);
  }
}

export function newHome(): BotHome {
  return { organizationId: newId(), workspaceId: newId() };
}
