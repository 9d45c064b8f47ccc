import { Injectable } from '@nestjs/common';
import type { BotChannel, ClientContext, ConversationStatus, StoredMessage } from '@heliograph/bot-conversations';
import { isId, toPage, type Page, type PageOf } from '@heliograph/database';
import { AppError } from '@heliograph/errors';
import { parseScheduledAt } from '@heliograph/service-kit';
import { Pool, type ClientBase } from 'pg';

/** Maximum of the unread count. Larger numbers are not counted. */
const MAX_UNREAD_COUNT = 100;
const EXCERPT_LENGTH = 200;

export interface ConversationRow {
  id: string;
  botId: string;
  botName: string;
  status: ConversationStatus;
  channel: BotChannel;
  takenOver: boolean;
  takenOverBy: string | null;
  handoffRequestedAt: Date | null;
  messageCount: number;
  client: ClientContext;
  contact: { id: string; name: string | null; email: string | null; phone: string | null } | null;
  rating: number | null;
  feedback: string | null;
  feedbackAt: Date | null;
  endedAt: Date | null;
  endedBy: string | null;
  lastMessageAt: Date;
  createdAt: Date;
  updatedAt: Date;
  /** Visitor messages since the last agent reply, while an agent is requested or has taken over; at most 100. */
  unreadCount: number;
  lastMessage: { role: 'user' | 'assistant'; author: string | null; excerpt: string } | null;
}

export interface ConversationFilter {
  /** Internal id of the bot, not its public id. */
  botId?: string;
  status?: ConversationStatus;
  takenOver?: boolean;
  /** Whether the hand-off is pending: requested, and the conversation is open. */
  handoff?: boolean;
}

/** Condition for a pending hand-off. */
const IS_WAITING = `(c.handoff_requested_at IS NOT NULL AND c.status = 'open')`;

const SELECT = (page: string, order: string): string => `
  SELECT c.id, b.public_id AS "botId", b.name AS "botName", c.status, c.channel, c.is_taken_over AS "takenOver",
    c.taken_over_by AS "takenOverBy", c.handoff_requested_at AS "handoffRequestedAt", c.last_seq AS "messageCount",
    c.client, c.rating, c.feedback, c.feedback_at AS "feedbackAt", c.ended_at AS "endedAt", c.ended_by AS "endedBy",
    c.last_message_at AS "lastMessageAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
    to_char(c.last_message_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US') AS at,
    CASE WHEN k.id IS NULL THEN NULL
      ELSE json_build_object('id', k.id, 'name', k.name, 'email', k.email, 'phone', k.phone) END AS contact,
    CASE WHEN l.role IS NULL THEN NULL
      ELSE json_build_object('role', l.role, 'author', l.author, 'excerpt', l.excerpt) END AS "lastMessage",
    CASE WHEN c.is_taken_over OR ${IS_WAITING} THEN u.count ELSE 0 END AS "unreadCount"
  FROM (${page}) AS c
  JOIN bots.bots AS b ON b.id = c.bot_id
  LEFT JOIN bots.contacts AS k ON k.id = c.contact_id
  LEFT JOIN LATERAL (
    SELECT m.role, m.metadata ->> 'author' AS author, left(m.content, ${EXCERPT_LENGTH}) AS excerpt
    FROM bots.messages AS m WHERE m.conversation_id = c.id ORDER BY m.seq DESC LIMIT 1
  ) AS l ON true
  LEFT JOIN LATERAL (
    SELECT count(*)::int FROM (
      SELECT FROM bots.messages AS m
      WHERE m.conversation_id = c.id AND m.role = 'user' AND (c.is_taken_over OR ${IS_WAITING}) AND m.seq > coalesce((
        SELECT max(a.seq) FROM bots.messages AS a
        WHERE a.conversation_id = c.id AND a.metadata ->> 'author' = 'agent'), 0)
      LIMIT ${MAX_UNREAD_COUNT}
    ) AS unread
  ) AS u ON true
  ${order}`;

const MESSAGE_COLUMNS = `seq, id, role, content, content_type AS "contentType", metadata,
  quick_replies AS "quickReplies", form, created_at AS "createdAt"`;

/** Reads the conversations of a workspace. */
@Injectable()
export class ConversationsRepository {
  constructor(private readonly pool: Pool) {}

  /** Sorted by latest activity, newest first. Throws VALIDATION_ERROR for an invalid cursor. */
  async list(workspaceId: string, filter: ConversationFilter, page: Page): Promise<PageOf<ConversationRow>> {
    const values: unknown[] = [workspaceId];
    const given = (value: unknown): string => `$${values.push(value)}`;
    const conditions = ['c.workspace_id = $1'];
    if (filter.botId !== undefined) conditions.push(`c.bot_id = ${given(filter.botId)}`);
    if (filter.status !== undefined) conditions.push(`c.status = ${given(filter.status)}`);
    if (filter.takenOver !== undefined) conditions.push(`c.is_taken_over = ${given(filter.takenOver)}`);
    if (filter.handoff !== undefined) conditions.push(`${IS_WAITING} = ${given(filter.handoff)}`);
    if (page.after !== null) {
      const { at, id } = placeOf(page.after);
      conditions.push(`(c.last_message_at, c.id) < (${given(at)}::timestamptz, ${given(id)}::uuid)`);
    }
    const newest = 'ORDER BY c.last_message_at DESC, c.id DESC';
    const part = `SELECT c.* FROM bots.conversations AS c WHERE ${conditions.join(' AND ')}
      ${newest} LIMIT ${given(page.limit + 1)}`;
    const { rows } = await this.pool.query<ConversationRow & { at: string }>(SELECT(part, newest), values);
    return toPage(rows, page, ({ at, id }) => `${at} ${id}`);
  }

  /** Pass `client` to read within an open transaction. Throws NOT_FOUND. */
  async get(workspaceId: string, id: string, client?: ClientBase): Promise<ConversationRow> {
    const part = 'SELECT c.* FROM bots.conversations AS c WHERE c.workspace_id = $1 AND c.id = $2';
    const { rows } = isId(id)
      ? await (client ?? this.pool).query<ConversationRow>(SELECT(part, ''), [workspaceId, id])
      : { rows: [] };
    if (rows[0]) return rows[0];
    throw new AppError(
      'NOT_FOUND',
      'Conversation not found. List the conversations of the workspace to get valid ids.',
    );
  }

  /**
   * Messages in ascending or descending order; `after` is the sequence number of the last message on the previous
   * page.
   */
  async messages(
    conversationId: string,
    page: Page,
    { newestFirst }: { newestFirst: boolean },
  ): Promise<PageOf<StoredMessage>> {
    const after = page.after === null ? null : Number(page.after);
    if (after !== null && !(Number.isInteger(after) && after >= 1 && after < 2 ** 31)) throw noCursor();
    const [beyond, order] = newestFirst ? ['<', 'DESC'] : ['>', 'ASC'];
    const { rows } = await this.pool.query<StoredMessage>(
      `SELECT ${MESSAGE_COLUMNS} FROM bots.messages
       WHERE conversation_id = $1 AND ($2::int IS NULL OR seq ${beyond} $2) ORDER BY seq ${order} LIMIT $3`,
      [conversationId, after, page.limit + 1],
    );
    return toPage(rows, page, ({ seq }) => String(seq));
  }
}

function placeOf(cursor: string): { at: string; id: string } {
  const [at = '', id] = cursor.split(' ');
  const instant = parseScheduledAt(`${at}Z`);
  if (instant === null || !isId(id)) throw noCursor();
  return { at: instant.timestamp, id };
}

function noCursor(): AppError {
  return new AppError('VALIDATION_ERROR', 'cursor: must be the nextCursor of the previous page.');
}
