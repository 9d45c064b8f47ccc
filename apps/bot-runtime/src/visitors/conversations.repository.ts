import { Injectable } from '@nestjs/common';
import type { BotChannel, ConversationStatus } from '@heliograph/bot-conversations';
import { Pool } from 'pg';

import type { EngineState } from '../replies/reply';

/** A conversation at the start of a call. */
export interface ConversationState {
  id: string;
  organizationId: string;
  workspaceId: string;
  /** Public id of the bot; empty if the bot has been deleted. */
  botPublicId: string;
  status: ConversationStatus;
  channel: BotChannel;
  isTakenOver: boolean;
  lastSeq: number;
  revision: number;
  state: EngineState;
  rating: number | null;
  feedback: string | null;
  feedbackAt: Date | null;
  endedAt: Date | null;
  endedBy: string | null;
  createdAt: Date;
  updatedAt: Date;
}

export const CONVERSATION_COLUMNS = `
  c.id, c.organization_id AS "organizationId", c.workspace_id AS "workspaceId",
  coalesce(b.public_id, '') AS "botPublicId", c.status, c.channel, c.is_taken_over AS "isTakenOver",
  c.last_seq AS "lastSeq", c.revision, c.state, c.rating, c.feedback, c.feedback_at AS "feedbackAt",
  c.ended_at AS "endedAt", c.ended_by AS "endedBy", c.created_at AS "createdAt", c.updated_at AS "updatedAt"`;

@Injectable()
export class ConversationsRepository {
  constructor(private readonly pool: Pool) {}

  /** Reads across tenants, because the token identifies the tenant. */
  byTokenAcrossTenants(tokenHash: Buffer): Promise<ConversationState | null> {
    return this.find('bots-conversation-by-token', 'c.token_hash = $1', tokenHash);
  }

  /** Reads across tenants, because the token of the conversation has already authorized the caller. */
  byIdAcrossTenants(id: string): Promise<ConversationState | null> {
    return this.find('bots-conversation-by-id', 'c.id = $1', id);
  }

  private async find(name: string, condition: string, value: unknown): Promise<ConversationState | null> {
    const { rows } = await this.pool.query<ConversationState>({
      name,
      text: `SELECT ${CONVERSATION_COLUMNS} FROM bots.conversations AS c LEFT JOIN bots.bots AS b ON b.id = c.bot_id
             WHERE ${condition}`,
      values: [value],
    });
    return rows[0] ?? null;
  }
}
