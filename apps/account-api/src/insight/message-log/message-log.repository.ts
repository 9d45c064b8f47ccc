import { Injectable } from '@nestjs/common';
import { readContent } from '@heliograph/chatapp-messages';
import { firstIdOf, isId, isTestId, type Page, type PageOf } from '@heliograph/database';
import { EMAIL_STATUS, EMAIL_SUMS, EMAIL_TABLES } from '@heliograph/email-catalog';
import { v1Timestamp } from '@heliograph/service-kit';
import { Pool } from 'pg';
import { repeatOf, type DetailsRow } from './repeated-send';
import {
  LOG_CHANNELS,
  type LogChannel,
  type LogDirection,
  type LogStatus,
  type V1LoggedMessage,
  type V1LoggedMessageDetails,
} from './message-log.dto';

/** Conditions of a list; undefined: every value. */
export interface LogFilter {
  channel?: LogChannel | undefined;
  status?: LogStatus | undefined;
  direction?: LogDirection | undefined;
  to?: string | undefined;
  sender?: string | undefined;
  template?: string | undefined;
  campaignId?: string | undefined;
  reference?: string | undefined;
  from?: Date | undefined;
  until?: Date | undefined;
  workspaceId: string | null;
}

/** Messages of a channel that one page examines, so that a filter with few matches has a bounded cost. */
const MAX_EXAMINED: Readonly<Record<LogChannel, number>> = {
  sms: 5_000,
  // The status of an email is that of its recipients, so each one costs more.
  email: 2_000,
  chatapp: 5_000,
};
const STATUSES: Readonly<Record<LogChannel, readonly LogStatus[]>> = {
  sms: ['scheduled', 'queued', 'sent', 'delivered', 'failed', 'canceled'],
  email: ['scheduled', 'queued', 'sent', 'delivered', 'bounced', 'failed', 'skipped', 'canceled'],
  chatapp: ['accepted', 'sent', 'delivered', 'read', 'failed', 'received'],
};
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
/** The id of a message is made a little before or after its creation time. */
const MARGIN_MS = 60_000;
const PREVIEW = 200;
const LISTED_RECIPIENTS = 10;
const DETAILED_RECIPIENTS = 100;

type Condition = [text: string, value: unknown];

/** How the messages of a channel are found. `examined` conditions have an index, `matched` ones are checked for each message. */
interface Search {
  /** The address whose emails are examined. */
  recipient: string | null;
  examined: Condition[];
  matched: Condition[];
}

/** Emails to an address, of all organizations. The parameter is the address and the upper bound of the ids. */
const CANDIDATES = `SELECT DISTINCT a.message_id AS id FROM email.recipients AS a
  WHERE lower(a.address) = (?::text[])[1] AND a.message_id < (?::text[])[2]::uuid
  ORDER BY a.message_id DESC LIMIT ${MAX_EXAMINED.email}`;

const EXAMINED_COLUMNS: Readonly<Record<LogChannel, string>> = {
  sms: 'm.id, m.status, m.header, m.template_id, m.workspace_id, m.created_at',
  email: 'm.id, m.status, m.scheduled_at, m.from_address, m.template_id, m.workspace_id, m.created_at',
  chatapp: 'm.id, m.status, m.sender, m.template_name, m.direction, m.workspace_id, m.created_at',
};

interface Found {
  ids: string[] | null;
  /** The last id that was examined, if there are more messages. */
  floor: string | null;
}

const SELECTS: Readonly<Record<LogChannel, string>> = {
  sms: `SELECT m.id, 'sms' AS channel, 'outbound' AS direction, m.status, m.workspace_id, json_build_array(m.recipient) AS "to",
      1 AS recipients, m.header AS sender, left(m.body, ${PREVIEW}) AS preview, m.template_id, NULL AS template_name, m.campaign_id,
      m.reference, m.credits_cost, NULL::integer AS price, NULL AS currency, m.last_error AS error, m.scheduled_at, m.created_at
    FROM sms.messages AS m`,
  email: `SELECT m.id, 'email' AS channel, 'outbound' AS direction, ${EMAIL_STATUS} AS status, m.workspace_id,
      (SELECT coalesce(json_agg(a.address ORDER BY a.position), '[]') FROM (
         SELECT l.address, l.position FROM email.recipients AS l WHERE l.message_id = m.id
         ORDER BY l.position LIMIT ${LISTED_RECIPIENTS}) AS a) AS "to",
      r.recipients, m.from_address AS sender, left(m.subject, ${PREVIEW}) AS preview, m.template_id, NULL AS template_name,
      m.campaign_id, m.reference, r.charged AS credits_cost, NULL::integer AS price, NULL AS currency, NULL AS error,
      m.scheduled_at, m.created_at
    FROM ${EMAIL_TABLES}`,
  chatapp: `SELECT m.id, 'chatapp' AS channel, m.direction, m.status, m.workspace_id, json_build_array(m.recipient) AS "to",
      1 AS recipients, m.sender, NULL AS preview, NULL::uuid AS template_id, m.template_name, NULL::uuid AS campaign_id,
      NULL AS reference, NULL::integer AS credits_cost, m.price, m.currency, m.error, NULL::timestamptz AS scheduled_at,
      m.created_at, m.type, m.payload
    FROM chatapp.messages AS m`,
};

interface LogRow extends Omit<V1LoggedMessage, 'created_at' | 'scheduled_at'> {
  created_at: Date;
  scheduled_at: Date | null;
  /** Only of chat-app messages. */
  type?: string;
  payload?: Record<string, unknown> | null;
}

const DETAILS: Readonly<Record<LogChannel, string>> = {
  sms: `SELECT m.body AS text, m.encoding, m.segments, m.correlation_id AS request_id, m.sent_at,
      CASE WHEN m.status = 'delivered' THEN m.finished_at END AS delivered_at, m.sender_id, m.flash
    FROM sms.messages AS m WHERE m.id = $1`,
  email: `SELECT m.text, m.html, m.subject, m.correlation_id AS request_id, m.from_name, m.reply_to, m.headers, m.tags,
      m.unsubscribe_scope, m.track_opens, m.track_clicks, m.attachments IS NOT NULL AS has_attachments,
      (SELECT max(r.sent_at) FROM email.recipients AS r WHERE r.message_id = m.id) AS sent_at,
      (SELECT coalesce(json_agg(json_build_object('to', r.address, 'kind', r.kind, 'error', r.last_error, 'status',
         CASE WHEN r.state = 'sent' THEN coalesce(r.outcome, 'sent')
              WHEN r.state IN ('waiting', 'sending') THEN 'queued' ELSE r.state END) ORDER BY r.position), '[]')
       FROM email.recipients AS r WHERE r.message_id = m.id AND r.position < ${DETAILED_RECIPIENTS}) AS recipient_states
    FROM email.messages AS m WHERE m.id = $1`,
  chatapp: `SELECT m.correlation_id AS request_id, m.sent_at, m.delivered_at FROM chatapp.messages AS m WHERE m.id = $1`,
};

/** Reads the messages of all channels. The services of the channels write them. */
@Injectable()
export class MessageLogRepository {
  constructor(private readonly pool: Pool) {}

  /**
   * The messages of an organization, newest first. A page examines a bounded number of messages: with filters it can have fewer
   * messages than its limit, also none, and still not be the last one.
   */
  async list(organizationId: string, filter: LogFilter, { limit, after }: Page): Promise<PageOf<V1LoggedMessage>> {
    const channels = LOG_CHANNELS.filter((channel) => canMatch(channel, filter));
    const found = await Promise.all(
      channels.map((channel) => this.find(channel, organizationId, filter, limit, after)),
    );
    // Below the floor of a channel, messages of this channel may be missing.
    const floor = found.map((one) => one.floor ?? '').reduce((highest, one) => (one > highest ? one : highest), '');
    const ids = channels
      .flatMap((channel, index) => (found[index]?.ids ?? []).map((id) => ({ id, channel })))
      .filter(({ id }) => id >= floor)
      .sort((one, other) => (one.id < other.id ? 1 : -1));
    const shown = ids.slice(0, limit);
    const rows = await Promise.all(
      channels.map((channel) =>
        this.read(
          channel,
          shown.filter((one) => one.channel === channel).map(({ id }) => id),
        ),
      ),
    );
    const items = rows.flat().sort((one, other) => (one.id < other.id ? 1 : -1));
    const next = ids.length > limit ? (shown.at(-1)?.id ?? null) : floor || null;
    return { items, next };
  }

  /** The messages with these ids, in no particular order; ids of other organizations are left out. */
  async byIds(organizationId: string, channel: LogChannel, ids: readonly string[]): Promise<V1LoggedMessage[]> {
    const { rows } = await this.pool.query<LogRow>(
      `${SELECTS[channel]} WHERE m.id = ANY ($1) AND m.organization_id = $2`,
      [ids, organizationId],
    );
    return rows.map(recordOf);
  }

  /** Null for an unknown id, and for a message of another organization or workspace. */
  async details(
    organizationId: string,
    workspaceId: string | null,
    id: string,
  ): Promise<V1LoggedMessageDetails | null> {
    if (!isId(id)) return null;
    for (const channel of LOG_CHANNELS) {
      const [message] = await this.byIds(organizationId, channel, [id]);
      if (!message || (workspaceId !== null && message.workspace_id !== workspaceId)) continue;
      const { rows } = await this.pool.query<DetailsRow>(DETAILS[channel], [message.id]);
      return rows[0] ? detailsOf(message, rows[0]) : null;
    }
    return null;
  }

  private async find(
    channel: LogChannel,
    organizationId: string,
    filter: LogFilter,
    limit: number,
    after: string | null,
  ): Promise<Found> {
    const search = searchOf(channel, filter);
    const values: unknown[] = [organizationId];
    const textOf = ([text, value]: Condition): string => {
      values.push(value);
      return text.replaceAll('?', `$${values.length}`);
    };
    const isTest = isTestId(organizationId);
    const bound = upperBound(isTest ? undefined : filter.until, after);
    const range: Condition[] = [['m.id < ?', bound]];
    if (filter.from && !isTest) range.push(['m.id >= ?', firstIdOf(moved(filter.from, -MARGIN_MS))]);
    const examined = [...range, ...search.examined].map(textOf);
    const matched = search.matched.map(textOf);
    // Without a condition to check, every message that is examined is on the page.
    const most = matched.length === 0 ? limit + 1 : MAX_EXAMINED[channel];
    // All organizations share the index of addresses, so the emails of an address are examined in parts, too.
    const candidates = search.recipient === null ? null : textOf([CANDIDATES, [search.recipient, bound]]);
    const lastOf = (name: string, count: number): string =>
      `(SELECT id FROM ${name} ORDER BY id DESC OFFSET ${count - 1} LIMIT 1)`;
    const floors = [lastOf('examined', most), ...(candidates ? [lastOf('candidates', MAX_EXAMINED.email)] : [])];
    const { rows } = await this.pool.query<Found>(
      `WITH ${candidates ? `candidates AS MATERIALIZED (${candidates}),` : ''} examined AS MATERIALIZED (
         SELECT ${EXAMINED_COLUMNS[channel]} FROM ${channel}.messages AS m
         WHERE m.organization_id = $1 AND ${examined.join(' AND ')}
           ${candidates ? 'AND m.id = ANY (ARRAY(SELECT id FROM candidates))' : ''}
         ORDER BY m.id DESC LIMIT ${most}),
       found AS MATERIALIZED (
         SELECT m.id FROM ${matchedFrom(channel, filter)} ${matched.length === 0 ? '' : `WHERE ${matched.join(' AND ')}`}
         ORDER BY m.id DESC LIMIT ${limit + 1})
       SELECT (SELECT array_agg(id) FROM found) AS ids,
         CASE WHEN (SELECT count(*) FROM found) <= ${limit} THEN coalesce(${floors.join(', ')}) END AS floor`,
      values,
    );
    return rows[0] ?? { ids: null, floor: null };
  }

  private async read(channel: LogChannel, ids: readonly string[]): Promise<V1LoggedMessage[]> {
    if (ids.length === 0) return [];
    const { rows } = await this.pool.query<LogRow>(`${SELECTS[channel]} WHERE m.id = ANY ($1)`, [ids]);
    return rows.map(recordOf);
  }
}

/** Whether messages of the channel can match; a chat-app message has no campaign and no reference. */
function canMatch(channel: LogChannel, filter: LogFilter): boolean {
  if (filter.channel !== undefined && filter.channel !== channel) return false;
  if (filter.status !== undefined && !STATUSES[channel].includes(filter.status)) return false;
  if (channel === 'chatapp') return filter.campaignId === undefined && filter.reference === undefined;
  if (filter.direction === 'inbound') return false;
  return filter.template === undefined || isId(filter.template);
}

const SENDER: Readonly<Record<LogChannel, string>> = {
  sms: 'm.header',
  email: 'm.from_address',
  chatapp: 'm.sender',
};

function searchOf(channel: LogChannel, filter: LogFilter): Search {
  const examined: Condition[] = [];
  const matched: Condition[] = [];
  const recipient = channel === 'email' && filter.to !== undefined ? filter.to.toLowerCase() : null;
  if (filter.to !== undefined && channel !== 'email') examined.push(['m.recipient = ?', filter.to]);
  if (filter.campaignId !== undefined) examined.push(['m.campaign_id = ?', filter.campaignId]);
  if (filter.reference !== undefined) examined.push(['m.reference = ?', filter.reference]);
  if (filter.from) matched.push(['m.created_at >= ?', filter.from]);
  if (filter.until) matched.push(['m.created_at < ?', filter.until]);
  if (filter.workspaceId !== null) matched.push(['m.workspace_id = ?', filter.workspaceId]);
  if (filter.sender !== undefined) matched.push([`${SENDER[channel]} = ?`, filter.sender]);
  if (filter.template !== undefined) {
    matched.push([channel === 'chatapp' ? 'm.template_name = ?' : 'm.template_id = ?', filter.template]);
  }
  if (channel === 'chatapp' && filter.direction !== undefined) matched.push(['m.direction = ?', filter.direction]);
  if (filter.status !== undefined) {
    matched.push([channel === 'email' ? `(${EMAIL_STATUS}) = ?` : 'm.status = ?', filter.status]);
  }
  return { recipient, examined, matched };
}

/** The status of an email needs the sums of its recipients. */
function matchedFrom(channel: LogChannel, { status }: LogFilter): string {
  if (channel !== 'email' || status === undefined) return 'examined AS m';
  return `examined AS m ${EMAIL_SUMS}`;
}

function upperBound(until: Date | undefined, after: string | null): string {
  const bound = until ? firstIdOf(moved(until, MARGIN_MS)) : LAST_ID;
  return after !== null && after < bound ? after : bound;
}

function moved(time: Date, byMs: number): Date {
  return new Date(Math.max(0, time.getTime() + byMs));
}

function recordOf({ type, payload, ...row }: LogRow): V1LoggedMessage {
  const content = type === undefined ? null : readContent(type, payload ?? null);
  return {
    ...row,
    preview: content === null ? row.preview : (content.text?.slice(0, PREVIEW) ?? null),
    scheduled_at: v1Timestamp(row.scheduled_at),
    created_at: v1Timestamp(row.created_at),
  };
}

function detailsOf(message: V1LoggedMessage, row: DetailsRow): V1LoggedMessageDetails {
  return {
    ...message,
    text: message.channel === 'chatapp' ? message.preview : (row.text ?? null),
    html: row.html ?? null,
    encoding: row.encoding ?? null,
    segments: row.segments ?? null,
    recipient_states: row.recipient_states ?? [],
    request_id: row.request_id,
    sent_at: v1Timestamp(row.sent_at),
    delivered_at: v1Timestamp(row.delivered_at ?? null),
    repeat: repeatOf(message, row),
  };
}
