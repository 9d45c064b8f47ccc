import type { Client } from 'pg';
import type { ConversationChange } from './conversation-change-log';

export interface StoredMessage {
  conversationId: string;
  seq: number;
  id: string;
  role: 'user' | 'assistant';
  content: string;
  contentType: 'text' | 'form';
  metadata: Record<string, unknown>;
}

/** The answer that is stored under the idempotency key of a turn. */
export interface StoredTurn {
  conversationId: string;
  key: string;
  questionId: string;
  replyId: string | null;
  submissionId: string | null;
  paused: boolean;
}

export interface StoredConversation {
  id: string;
  lastSeq: number;
  transcript: StoredMessage[];
  turns: StoredTurn[];
  changes: ConversationChange[];
}

/** All conversations with their messages, turns and changes, by id. */
export async function readConversations(client: Client): Promise<Map<string, StoredConversation>> {
  const { rows: conversations } = await client.query<Pick<StoredConversation, 'id' | 'lastSeq'>>(
    'SELECT id, last_seq AS "lastSeq" FROM bots.conversations',
  );
  const stored = new Map<string, StoredConversation>(
    conversations.map((row) => [row.id, { ...row, transcript: [], turns: [], changes: [] }]),
  );
  const { rows: messages } = await client.query<StoredMessage>(
    `SELECT conversation_id AS "conversationId", seq, id, role, content, content_type AS "contentType", metadata
     FROM bots.messages ORDER BY conversation_id, seq`,
  );
  const { rows: turns } = await client.query<StoredTurn>(
    `SELECT caller_id AS "conversationId", key, body->>'questionId' AS "questionId", body->>'replyId' AS "replyId",
       body->>'submissionId' AS "submissionId", (body->>'paused')::boolean AS paused
     FROM idempotency.answers WHERE endpoint LIKE 'bot.%' AND status = 200`,
  );
  const { rows: changes } = await client.query<ConversationChange>(
    `SELECT conversation_id AS "conversationId", seq, status, is_taken_over AS "isTakenOver"
     FROM chaos.conversation_changes ORDER BY number`,
  );
  for (const message of messages) stored.get(message.conversationId)?.transcript.push(message);
  for (const turn of turns) stored.get(turn.conversationId)?.turns.push(turn);
  for (const change of changes) stored.get(change.conversationId)?.changes.push(change);
  return stored;
}

export function isByAgent({ role, metadata }: Pick<StoredMessage, 'role' | 'metadata'>): boolean {
  return role === 'assistant' && metadata['author'] === 'agent';
}
