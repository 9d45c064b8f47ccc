import { createDataSource, databaseConfigSchema, newId, poolOf } from '@heliograph/database';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import type { Pool } from 'pg';
import type { DataSource, EntityManager } from 'typeorm';
import { findAnswers, type Found } from './finding/find-answers';
import { decideAnswer, type AnswerDecision } from './finding/decide-answer';
import type { SearchItem, SearchKind } from './indexing/entries';
import { indexItems, unindexItems } from './indexing/index-items';
import { botSearchMigrations } from './migration-set';

export interface TestBot {
  id: string;
  locale: string;
}

/** The search schema on a separate database, and helpers to index and search. */
export class SearchFixture {
  private constructor(
    readonly database: TestDatabase,
    private readonly dataSource: DataSource,
    readonly pool: Pool,
  ) {}

  static async start(): Promise<SearchFixture> {
    const database = await createTestDatabase([botSearchMigrations]);
    const settings = databaseConfigSchema.parse({ DATABASE_URL: database.url, DATABASE_POOL_SIZE: 12 });
    const dataSource = await createDataSource(settings, 'search fixture', []).initialize();
    return new SearchFixture(database, dataSource, poolOf(dataSource));
  }

  async stop(): Promise<void> {
    await this.dataSource.destroy();
    await this.database.drop();
  }

  transaction<T>(work: (transaction: EntityManager) => Promise<T>): Promise<T> {
    return this.dataSource.transaction(work);
  }

  /** Creates a bot with these items. */
  async bot(locale: string, items: readonly SearchItem[]): Promise<TestBot> {
    const bot = { id: newId(), locale };
    await this.index(bot, items);
    return bot;
  }

  index(bot: TestBot, items: readonly SearchItem[]): Promise<void> {
    return this.transaction((transaction) => indexItems(transaction, bot, items));
  }

  unindex(bot: TestBot, kind: SearchKind, ids: readonly string[]): Promise<void> {
    return this.transaction((transaction) => unindexItems(transaction, bot.id, kind, ids));
  }

  find(bot: TestBot, text: string, synonyms: readonly (readonly string[])[] = []): Promise<Found> {
    return findAnswers(this.pool, { botId: bot.id, locale: bot.locale, text, synonyms });
  }

  async decide(bot: TestBot, text: string, synonyms: readonly (readonly string[])[] = []): Promise<AnswerDecision> {
    return decideAnswer(await this.find(bot, text, synonyms));
  }

  /** Returns the ids that a visitor sees: the answer, the choices, or none. */
  async seen(bot: TestBot, text: string, synonyms: readonly (readonly string[])[] = []): Promise<string[]> {
    const decision = await this.decide(bot, text, synonyms);
    if (decision.kind === 'none') return [];
    return decision.kind === 'answer' ? [decision.finding.id] : decision.findings.map(({ id }) => id);
  }

  /** Returns all statistics of a bot in a fixed order. */
  async statistics(bot: TestBot): Promise<unknown> {
    const of = 'bot_number = (SELECT number FROM bot_search.bots WHERE bot_id = $1)';
    return {
      bot: await this.database.query('SELECT faqs, passages FROM bot_search.bots WHERE bot_id = $1', [bot.id]),
      lexemes: await this.database.query(
        `SELECT lexeme, faqs, passages FROM bot_search.lexemes WHERE ${of} ORDER BY lexeme`,
        [bot.id],
      ),
      words: await this.database.query(
        `SELECT word, entries, lexemes FROM bot_search.words WHERE ${of} ORDER BY word`,
        [bot.id],
      ),
      postings: await this.database.query(
        `SELECT l.lexeme, p.kind, item_id, passage
         FROM bot_search.lexemes AS l JOIN bot_search.postings AS p ON p.lexeme = l.number
           LEFT JOIN bot_search.entries AS e ON e.id = p.entry_id
         WHERE l.${of} ORDER BY l.lexeme, p.kind, item_id, passage`,
        [bot.id],
      ),
      lost: await this.database.query(
        'SELECT count(*) FROM bot_search.postings WHERE lexeme NOT IN (SELECT number FROM bot_search.lexemes)',
      ),
    };
  }
}

/** Returns an FAQ whose id is its question, unless another id is given. */
export function faq(title: string, body = 'The answer.', phrasings: string[] = [], id = title): SearchItem {
  return { kind: 'faq', id, title, phrasings, body };
}

export function article(title: string, body: string, id = title): SearchItem {
  return { kind: 'knowledge', id, title, phrasings: [], body };
}
