import type { Pool } from 'pg';
import type { StoredTimeline, TimelineEntry } from './timeline-entry';

interface BotRow {
  id: string;
  role: 'user' | 'assistant';
  author: string | null;
  agent_name: string | null;
  via: string | null;
  faq_id: string | null;
  /** The request that stored the message. */
  correlation_id: string | null;
  key_id: string | null;
  key_name: string | null;
  client_address: string | null;
  /** Text in JSON. */
  created_at: Date | string;
}

interface TurnRow extends BotRow {
  conversation_id: string;
  bot_id: string;
  channel: string;
  /** The message that this one answers; null for none. */
  question: BotRow | null;
  /** The first answer to this message; null for none. */
  answer: BotRow | null;
  /** The form that was submitted with this turn. */
  submission: { id: string; form_id: string; contact_id: string | null; created_at: string } | null;
}

/** The columns of `BotRow`. They require the conversation as `c`. */
const BOT_COLUMNS = (alias: string): string => `
  ${alias}.id, ${alias}.role, ${alias}.metadata ->> 'author' AS author, ${alias}.metadata ->> 'agentName' AS agent_name,
  ${alias}.metadata ->> 'via' AS via, ${alias}.metadata ->> 'faqId' AS faq_id, ${alias}.created_at,
  ${alias}.correlation_id, ${alias}.key_id, ${alias}.client_address,
  (SELECT k.name FROM auth.api_keys AS k WHERE k.id = ${alias}.key_id AND k.organization_id = c.organization_id) AS key_name`;

/** A message of the conversation of the message `m`. */
const BOT_ROW = (alias: string): string =>
  `SELECT ${BOT_COLUMNS(alias)} FROM bots.messages AS ${alias} WHERE ${alias}.conversation_id = m.conversation_id`;

/** A turn stores its reply one millisecond after the question and the submission. */
const TURN_AT = `CASE WHEN m.role = 'user' THEN m.created_at ELSE m.created_at - interval '1 millisecond' END`;

/** The turn of a bot that a message belongs to, without what the visitor and the bot said. */
export async function botTimeline(pool: Pool, owner: [string, string, string | null]): Promise<StoredTimeline | null> {
  const { rows } = await pool.query<TurnRow>(
    `SELECT ${BOT_COLUMNS('m')}, m.conversation_id, b.public_id AS bot_id, c.channel,
       (SELECT row_to_json(one) FROM (${BOT_ROW('q')} AND q.seq = m.seq - 1 AND q.role = 'user'
         AND q.created_at = ${TURN_AT}) AS one) AS question,
       (SELECT row_to_json(one) FROM (${BOT_ROW('a')} AND a.seq > m.seq AND a.role = 'assistant'
         ORDER BY a.seq LIMIT 1) AS one) AS answer,
       (SELECT row_to_json(one) FROM (
         SELECT s.id, s.form_id, s.contact_id, s.created_at FROM bots.submissions AS s
         WHERE s.conversation_id = m.conversation_id AND s.created_at = ${TURN_AT} LIMIT 1) AS one) AS submission
     FROM bots.messages AS m
     JOIN bots.conversations AS c ON c.id = m.conversation_id
     LEFT JOIN bots.bots AS b ON b.id = c.bot_id
     WHERE m.id = $1 AND c.organization_id = $2 AND ($3::uuid IS NULL OR c.workspace_id = $3)`,
    owner,
  );
  const [row] = rows;
  if (!row) return null;
  const isQuestion = row.role === 'user';
  const question = isQuestion ? row : row.question;
  const answer = isQuestion ? row.answer : row;
  const { submission } = row;
  return {
    status: statusOf(row),
    references: [],
    subjects: [question?.id, answer?.id, submission?.id].flatMap((id) => id ?? []),
    entries: [
      {
        at: question && dateOf(question),
        type: 'received',
        summary: 'A visitor sent a message.',
        details: {
          ...(question ? requestOf(question) : {}),
          message_id: question?.id,
          conversation_id: row.conversation_id,
          bot_id: row.bot_id,
          channel: row.channel,
        },
      },
      {
        at: submission && dateOf(submission),
        type: 'lead_captured',
        summary: 'The visitor submitted a form.',
        details: {
          submission_id: submission?.id,
          form_id: submission?.form_id,
          contact_id: submission?.contact_id,
          conversation_id: row.conversation_id,
          bot_id: row.bot_id,
        },
      },
      ...(answer ? answerEntries(answer, row.conversation_id) : []),
    ],
  };
}

function statusOf({ role, answer }: TurnRow): string {
  if (role === 'assistant') return 'sent';
  return answer ? 'answered' : 'received';
}

function answerEntries(answer: BotRow, conversationId: string): TimelineEntry[] {
  const at = dateOf(answer);
  const isAgent = answer.author === 'agent';
  const details = { message_id: answer.id, conversation_id: conversationId };
  const handoff: TimelineEntry = {
    at: answer.via === 'handoff' ? at : null,
    type: 'handoff_requested',
    details,
    summary: 'The visitor asked for a person.',
  };
  const by = isAgent
    ? { ...requestOf(answer), agent: answer.agent_name }
    : { request_id: answer.correlation_id, via: answer.via, faq_id: answer.faq_id };
  return [
    handoff,
    {
      at,
      type: 'answered',
      summary: isAgent ? 'An agent answered.' : 'The bot answered.',
      details: { ...details, ...by },
    },
  ];
}

function requestOf({ correlation_id, key_id, key_name, client_address }: BotRow): Record<string, unknown> {
  return { request_id: correlation_id, key_id, key_name, client_address };
}

function dateOf({ created_at: at }: { created_at: Date | string }): Date {
  return new Date(at);
}
