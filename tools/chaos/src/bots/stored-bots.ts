import type { Client } from 'pg';
import type { Rule } from './bots-witness';

export interface StoredMessage {
  conversationId: string;
  seq: number;
  id: string;
  role: 'user' | 'assistant';
  content: string;
  contentType: 'text' | 'form';
  metadata: Record<string, unknown>;
}

/** What is stored under the Idempotency-Key of a turn. */
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
  rules: Rule[];
}

/** All conversations with what was said in them, by their ids. */
export async function readConversations(client: Client): Promise<Map<string, StoredConversation>> {
  const { rows: conversations } = await client.query<Pick<StoredConversation, 'id' | 'lastSeq'>>(
    'SELECT id, last_seq AS "lastSeq" FROM bots.conversations',
  );
  const all = new Map(conversations.map((row) => [row.id, { ...row, transcript: [], turns: [], rules: [] }])) as Map<
    string,
    StoredConversation
  >;
  const { rows: messages } = await client.query<StoredMessage>(
    `SELECT conversation_id AS "conversationId", seq, id, role, content, content_type AS "contentType", metadata
     FROM bots.messages ORDER BY conversation_id, seq`,
  );
  for (const message of messages) all.get(message.conversationId)?.transcript.push(message);
  const { rows: turns } = await client.query<StoredTurn>(
    `SELECT caller_id AS "conversationId", key, body->>'questionId' AS "questionId", body->>'replyId' AS "replyId",
       body->>'submissionId' AS "submissionId", (body->>'paused')::boolean AS paused
     FROM idempotency.answers WHERE endpoint LIKE 'bot.%' AND status = 201`,
  );
  for (const turn of turns) all.get(turn.conversationId)?.turns.push(turn);
  const { rows: rules } = await client.query<Rule>(
    `SELECT conversation_id AS "conversationId", seq, status, is_taken_over AS "isTakenOver"
     FROM chaos.rules ORDER BY number`,
  );
  for (const rule of rules) all.get(rule.conversationId)?.rules.push(rule);
  return all;
}

export function isAgents({ role, metadata }: Pick<StoredMessage, 'role' | 'metadata'>): boolean {
  return role === 'assistant' && metadata['author'] === 'agent';
}
