import { Injectable } from '@nestjs/common';
import { conversationClosed, type ConversationStatus } from '@heliograph/bot-conversations';
import { quoteOf, SEND_CHECKS, type V1Quote } from '@heliograph/credits';
import { isId } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { isStorableText, RequestValidationPipe, rule, V1Request } from '@heliograph/service-kit';
import { Pool } from 'pg';
import type { Access, Caller } from '../../access/caller';
import { assertPermission, assertVerified, workspaceLocked } from '../../access/permissions';
import { readReply } from './agent-reply';
import { MAX_REPLY_LENGTH } from './conversations.dto';

interface ConversationRow {
  status: ConversationStatus;
  workspace_status: string;
}

@V1Request()
class ReplyQuoteRequest {
  @rule('isId', 'conversation_id must be the id of a conversation.', (value) => typeof value === 'string')
  conversation_id: string;
  @rule('isReply', `message must be text of at most ${MAX_REPLY_LENGTH} characters.`, (value) =>
    isStorableText(value, 2 * MAX_REPLY_LENGTH),
  )
  message: string;
}

const pipe = new RequestValidationPipe();

async function validated(request: object): Promise<ReplyQuoteRequest> {
  return (await pipe.transform(request, { type: 'body', metatype: ReplyQuoteRequest })) as ReplyQuoteRequest;
}

/** Says whether a reply of an agent to a conversation of a bot would be sent. Replies are free. */
@Injectable()
export class ReplyQuoteService {
  constructor(private readonly pool: Pool) {}

  /** `request`: `conversation_id` and `message`. Throws INVALID_REQUEST for unknown fields and fields of the wrong type. */
  async quote(caller: Caller, { session }: Access, request: object): Promise<V1Quote> {
    const { conversation_id: id, message } = await validated(request);
    return quoteOf(
      SEND_CHECKS.bots,
      async (quoted, progress) => {
        quoted.credits_cost = 0;
        progress.note('permission', () => {
          assertPermission(caller.role, 'conversations:write');
          assertVerified(session?.user);
        });
        progress.enter('conversation');
        const conversation = await this.find(caller, id);
        progress.enter('workspace');
        assertUnlocked(conversation);
        progress.enter('content');
        readReply(message);
        progress.enter('state');
        assertOpen(conversation);
      },
      async (_quoted, progress) => {
        const conversation = await progress.attempt('conversation', () => this.find(caller, id));
        if (conversation) await progress.attempt('workspace', () => assertUnlocked(conversation));
        await progress.attempt('content', () => readReply(message));
        if (conversation) await progress.attempt('state', () => assertOpen(conversation));
      },
    );
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

function assertUnlocked({ workspace_status: status }: ConversationRow): void {
  if (status === 'locked') throw workspaceLocked();
}

function assertOpen({ status }: ConversationRow): void {
  if (status !== 'open') throw conversationClosed(status);
}
