import { Injectable } from '@nestjs/common';
import type { StoredMessage } from '@heliograph/bot-conversations';
import { Pool } from 'pg';

import { CONVERSATION_COLUMNS, type ConversationState } from '../visitors/conversations.repository';

/** The position of a reader in a conversation. */
export interface Followed {
  id: string;
  seq: number;
  revision: number;
}

export type NewMessage = StoredMessage & { conversationId: string };

/**
 * Reads new events of many conversations with one query. Reads across tenants, because the callers were authorized by
 * conversation tokens.
 */
@Injectable()
export class LiveRepository {
  constructor(private readonly pool: Pool) {}

  /** The conversations with new events. */
  async changedAcrossTenants(followed: readonly Followed[]): Promise<ConversationState[]> {
    const { rows } = await this.pool.query<ConversationState>({
      name: 'bots-live-changed',
      text: `SELECT ${CONVERSATION_COLUMNS}
             FROM unnest($1::uuid[], $2::integer[], $3::integer[]) AS f (id, seq, revision)
             JOIN bots.conversations AS c ON c.id = f.id
             LEFT JOIN bots.bots AS b ON b.id = c.bot_id
             WHERE c.last_seq > f.seq OR c.revision > f.revision`,
      values: columns(followed),
    });
    return rows;
  }

  /** Messages after the given positions, in order, at most `limit` per conversation. */
  async messagesAcrossTenants(followed: readonly Followed[], limit: number): Promise<NewMessage[]> {
    const { rows } = await this.pool.query<NewMessage>({
      name: 'bots-live-messages',
      text: `SELECT f.id AS "conversationId", m.seq, m.id, m.role, m.content, m.content_type AS "contentType", m.metadata,
               m.quick_replies AS "quickReplies", m.form, m.created_at AS "createdAt"
             FROM unnest($1::uuid[], $2::integer[]) AS f (id, seq)
             CROSS JOIN LATERAL (
               SELECT * FROM bots.messages AS n
               WHERE n.conversation_id = f.id AND n.seq > f.seq ORDER BY n.seq LIMIT $3
             ) AS m
             ORDER BY m.conversation_id, m.seq`,
      values: [...columns(followed).slice(0, 2), limit],
    });
    return rows;
  }
}

function columns(followed: readonly Followed[]): [string[], number[], number[]] {
  return [followed.map(({ id }) => id), followed.map(({ seq }) => seq), followed.map(({ revision }) => revision)];
}
