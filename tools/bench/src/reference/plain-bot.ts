import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { Body, Controller, Get, Inject, Module, Param, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { databaseSettings } from '@heliograph/database';
import { DataSource } from 'typeorm';

const settings = databaseSettings.parse(process.env);
const FALLBACK = 'Sorry, I do not know that one.';

/**
 * The yardstick: a bot as it is written first. PostgreSQL's own full-text search over the same texts with any of the
 * words, ranked by the server, and a transaction of three statements; no corrections, no idempotency, no events.
 */
@Controller()
class PlainBotController {
  constructor(@Inject(DataSource) private readonly dataSource: DataSource) {}

  @Get('health/ready')
  ready(): object {
    return { status: 'ready' };
  }

  @Post('api/v1/chat/conversations/:id/messages')
  async send(@Param('id') id: string, @Body() { message }: { message: string }): Promise<object> {
    const [found] = await this.dataSource.query<{ text: string }[]>(
      `SELECT text FROM reference.bot_items, to_tsquery('english', replace(plainto_tsquery('english', $1)::text, '&', '|')) AS q
       WHERE terms @@ q ORDER BY ts_rank_cd(terms, q) DESC LIMIT 1`,
      [message],
    );
    const said = { contentType: 'text', metadata: {}, createdAt: new Date().toISOString() };
    const userMessage = { id: randomUUID(), role: 'user', content: message, ...said };
    const reply = { id: randomUUID(), role: 'assistant', content: found?.text ?? FALLBACK, ...said, form: null };
    await this.dataSource.transaction(async (transaction) => {
      const insert = 'INSERT INTO reference.bot_messages (id, conversation_id, role, content) VALUES ($1, $2, $3, $4)';
      await transaction.query(insert, [userMessage.id, id, userMessage.role, userMessage.content]);
      await transaction.query(insert, [reply.id, id, reply.role, reply.content]);
      await transaction.query('UPDATE reference.bot_conversations SET updated_at = now() WHERE id = $1', [id]);
    });
    return { userMessage, reply, paused: false };
  }
}

@Module({
  controllers: [PlainBotController],
  providers: [
    {
      provide: DataSource,
      useFactory: () =>
        new DataSource({
          type: 'postgres',
          url: settings.DATABASE_URL,
          poolSize: settings.DATABASE_POOL_SIZE,
        }).initialize(),
    },
  ],
})
class PlainBotModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(PlainBotModule, { logger: ['error', 'warn'] });
  app.enableShutdownHooks();
  await app.listen(Number(process.env['PORT']), '127.0.0.1');
}

void main();
