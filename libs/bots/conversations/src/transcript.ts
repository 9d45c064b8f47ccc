import { isId } from '@heliograph/database';
import type { Pool } from 'pg';
import type { InlineForm, QuickReply } from './entities/message.entity';

/** A stored message. */
export interface StoredMessage {
  seq: number;
  id: string;
  role: 'user' | 'assistant';
  content: string;
  contentType: 'text' | 'form';
  metadata: Record<string, unknown>;
  quickReplies: QuickReply[] | null;
  form: InlineForm | null;
  createdAt: Date;
}

const COLUMNS = `seq, id, role, content, content_type AS "contentType", metadata, quick_replies AS "quickReplies", form,
  created_at AS "createdAt"`;

/** Messages after the one numbered `afterSeq`, oldest first, at most `limit`. */
export async function readTranscript(
  pool: Pool,
  conversationId: string,
  afterSeq: number,
  limit: number,
): Promise<StoredMessage[]> {
  const { rows } = await pool.query<StoredMessage>({
    name: 'bots-transcript',
    text: `SELECT ${COLUMNS} FROM bots.messages WHERE conversation_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`,
    values: [conversationId, afterSeq, limit],
  });
  return rows;
}

/** The newest messages, oldest first, at most `limit`. */
export async function readNewest(pool: Pool, conversationId: string, limit: number): Promise<StoredMessage[]> {
  const { rows } = await pool.query<StoredMessage>({
    name: 'bots-newest',
    text: `SELECT ${COLUMNS} FROM bots.messages WHERE conversation_id = $1 ORDER BY seq DESC LIMIT $2`,
    values: [conversationId, limit],
  });
  return rows.reverse();
}

/** Messages of a conversation by their ids, in the conversation's order. */
export async function readMessages(
  pool: Pool,
  conversationId: string,
  ids: readonly string[],
): Promise<StoredMessage[]> {
  const { rows } = await pool.query<StoredMessage>({
    name: 'bots-messages',
    text: `SELECT ${COLUMNS} FROM bots.messages WHERE conversation_id = $1 AND id = ANY($2) ORDER BY seq`,
    values: [conversationId, ids],
  });
  return rows;
}

/** Returns the `seq` of a message in its conversation; null if the message belongs to another conversation. */
export async function seqOf(pool: Pool, conversationId: string, messageId: string): Promise<number | null> {
  if (!isId(messageId)) return null;
  const [message] = await readMessages(pool, conversationId, [messageId]);
  return message?.seq ?? null;
}
