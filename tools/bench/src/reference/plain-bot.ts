import { randomUUID } from 'node:crypto';
import { Body, Controller, Module, Param, Post } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { dataSourceProvider, PlainHealthController, startPlainApp } from './plain-app';

const FALLBACK = 'Sorry, I do not know that one.';

/**
 * The reference: a plain bot. PostgreSQL full-text search over the same texts, ranked by the server, and one transaction of
 * three statements; no spelling correction, no idempotency, no events.
 */
@Controller()
class PlainBotController {
  constructor(private readonly dataSource: DataSource) {}

  @Post('api/v1/chat/conversations/:id/messages')
  async send(@Param('id') id: string, @Body() { message }: { message: string }): Promise<object> {
    const [found] = await this.dataSource.query<{ text: string }[]>(
      `SELECT text FROM reference.bot_items, to_tsquery('english', replace(plainto_tsquery('english', $1)::text, '&', '|')) AS q
       WHERE terms @@ q ORDER BY ts_rank_cd(terms, q) DESC LIMIT 1`,
      [message],
    );
    const common = { contentType: 'text', metadata: {}, createdAt: new Date().toISOString() };
    const userMessage = { id: randomUUID(), role: 'user', content: message, ...common };
    const reply = { id: randomUUID(), role: 'assistant', content: found?.text ?? FALLBACK, ...common, form: null };
    await this.dataSource.transaction(async (transaction) => {
      const insert = 'INSERT INTO reference.bot_messages (id, conversation_id, role, content) VALUES ($1, $2, $3, $4)';
      await transaction.query(insert, [userMessage.id, id, userMessage.role, userMessage.content]);
      await transaction.query(insert, [reply.id, id, reply.role, reply.content]);
      await transaction.query('UPDATE reference.bot_conversations SET updated_at = now() WHERE id = $1', [id]);
    });
    return { userMessage, reply, paused: false };
  }
}

@Module({ controllers: [PlainBotController, PlainHealthController], providers: [dataSourceProvider] })
class PlainBotModule {}

void startPlainApp(PlainBotModule);
