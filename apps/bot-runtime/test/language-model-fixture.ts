import { botEntities, botMigrations } from '@heliograph/bot-conversations';
import { createDataSource, databaseConfigSchema, poolOf } from '@heliograph/database';
import { createLogger, Health } from '@heliograph/service-kit';
import { createTestDatabase, type TestDatabase } from '@heliograph/testing';
import { Registry } from 'prom-client';
import type { DataSource } from 'typeorm';
import { loadBotRuntimeConfig } from '../src/bot-runtime.config';
import { LanguageModel } from '../src/language-model/language-model';
import { aBot, aFinding } from '../src/replies/bot.fixture';
import type { ModelQuestion } from '../src/replies/reply';
import { ModelServer } from './model-server';

export const GOOD = 'You have **thirty days** to send it back [1]. Use the form at https://shop.example/returns [2].';
export const GOOD_TEXT = 'You have **thirty days** to send it back. Use the form at https://shop.example/returns.';
export const PASSAGES = [
  aFinding('returns', 0.5, { text: 'Returns are taken for thirty days.' }),
  aFinding('article', 0.4, { kind: 'knowledge', text: 'The form is at https://shop.example/returns.' }),
];
const SECRET_TEXT = 'a question that is nobody’s business';

/** The language model with a separate database, and a new model server for each test. */
export class LanguageModelFixture {
  server!: ModelServer;
  log: string[] = [];
  /** The registry and the health of the model that was created last. */
  registry = new Registry();
  health = new Health();
  private readonly opened: { models: LanguageModel[]; sources: DataSource[] } = { models: [], sources: [] };
  private bots = 0;

  private constructor(readonly database: TestDatabase) {}

  static async start(): Promise<LanguageModelFixture> {
    return new LanguageModelFixture(await createTestDatabase([botMigrations]));
  }

  async stop(): Promise<void> {
    await this.database.drop();
  }

  async beforeTest(): Promise<void> {
    this.server = await ModelServer.start();
    this.log = [];
  }

  /** Closes everything that the test opened, and checks that the log contains no secret. */
  async afterTest(): Promise<void> {
    await Promise.all(this.opened.models.splice(0).map((model) => model.beforeApplicationShutdown()));
    await Promise.all(this.opened.sources.splice(0).map((source) => source.destroy()));
    await this.server.stop();
    expect(this.log.join('')).not.toContain(SECRET_TEXT);
    expect(this.log.join('')).not.toContain(this.server.environment['BOT_MODEL_KEY']);
    expect(this.log.join('')).not.toContain('thirty days');
  }

  async modelOf(
    more: Record<string, string> = {},
    databaseUrl = this.database.url,
    endpoint = this.server.environment,
  ): Promise<LanguageModel> {
    const settings = loadBotRuntimeConfig({
      DATABASE_URL: databaseUrl,
      AMQP_URL: 'amqp://localhost',
      PUBLIC_BASE_URL: 'http://localhost',
      ...endpoint,
      ...more,
    });
    const source = await createDataSource(
      databaseConfigSchema.parse({ DATABASE_URL: databaseUrl }),
      'model',
      botEntities,
    ).initialize();
    const logger = createLogger('spec', 'debug', { write: (line: string) => void this.log.push(line) });
    this.registry = new Registry();
    this.health = new Health();
    const model = new LanguageModel(settings, poolOf(source), this.registry, logger, this.health);
    this.opened.models.push(model);
    this.opened.sources.push(source);
    return model;
  }

  /** A question to a new bot. */
  question(more: Partial<ModelQuestion> = {}): ModelQuestion {
    const id = `0190f000-0000-7000-8000-${String(++this.bots).padStart(12, '0')}`;
    return { bot: aBot({ id }), text: SECRET_TEXT, history: [], passages: PASSAGES, ...more };
  }

  async usedBy(id: string): Promise<number | null> {
    const text = 'SELECT tokens::integer FROM bots.model_uses WHERE bot_id = $1';
    return (await this.database.query<{ tokens: number }>(text, [id]))[0]?.tokens ?? null;
  }

  /** The outcomes of the calls of the model that was created last. */
  async outcomes(): Promise<unknown[]> {
    const { values } = (await this.registry.getSingleMetric('bot_model_duration_seconds')?.get()) ?? { values: [] };
    return [...new Set(values.map(({ labels }) => (labels as Record<string, unknown>)['outcome']))];
  }
}
