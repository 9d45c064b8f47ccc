import { Injectable } from '@nestjs/common';
import { conversationClosed, type ConversationStatus } from '@heliograph/bot-conversations';
import { isId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { fieldError, isStorableText, quoteOf, SEND_CHECKS, type V1Quote } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { Access, Caller } from '../access/caller';
import { assertPermission, assertVerified, workspaceLocked } from '../access/permissions';
import { readReply } from './agent-reply';
import { MAX_REPLY_LENGTH } from './conversations.dto';

interface ConversationRow {
  status: ConversationStatus;
  workspace_status: string;
}

/** Says whether a reply of an agent to a conversation of a bot would be sent. Replies are free. */
@Injectable()
export class ReplyQuoteService {
  constructor(private readonly pool: Pool) {}

  /** `request`: `conversation_id` and `message`. Throws INVALID_REQUEST for fields of the wrong type. */
  async quote(caller: Caller, { session }: Access, request: object): Promise<V1Quote> {
    const { conversation_id: id, message } = request as Record<string, unknown>;
    if (typeof id !== 'string') {
      throw fieldError('INVALID_REQUEST', 'conversation_id', 'conversation_id must be the id of a conversation.');
    }
    if (!isStorableText(message, 2 * MAX_REPLY_LENGTH)) {
      const text = `message must be text of at most ${MAX_REPLY_LENGTH} characters.`;
      throw fieldError('INVALID_REQUEST', 'message', text);
    }
    return quoteOf(SEND_CHECKS.bots, async (quoted, checks) => {
      quoted.credits_cost = 0;
      checks.note('permission', () => {
        assertPermission(caller.role, 'conversations:write');
        assertVerified(session?.user);
      });
      const conversation = await checks.run('conversation', () => this.find(caller, id));
      await checks.run('workspace', () => {
        if (conversation.workspace_status === 'locked') throw workspaceLocked();
      });
      await checks.run('content', () => readReply(message));
      await checks.run('state', () => {
        if (conversation.status !== 'open') throw conversationClosed(conversation.status);
      });
    });
  }

  private async find({ organizationId, boundWorkspaceId }: Caller, id: string): Promise<ConversationRow> {
    const { rows } = isId(id)
      ? await this.pool.query<ConversationRow>(
          `SELECT c.status, w.status AS workspace_status
           FROM bots.conversations AS c JOIN tenancy.workspaces AS w ON w.id = c.workspace_id
           WHERE c.id = $1 AND c.organization_id = $2 AND ($3::uuid IS NULL OR c.workspace_id = $3)`,
          [id, organizationId, boundWorkspaceId],
        )
      : { rows: [] };
    if (rows[0]) return rows[0];
    throw new AppError('NOT_FOUND', 'Conversation not found.');
  }
}
