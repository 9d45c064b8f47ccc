import type { Client } from 'pg';
import { differences } from '../differences';
import type { Bots } from './bots';
import type { MessageRecord } from './chat-records';
import { isAgents, readConversations, type StoredConversation } from './stored-bots';
import { wrongStream } from './streams-verdict';
import { submissionsOf, wrongAnswers, wrongTranscript } from './transcripts-verdict';

const MOST_SHOWN = 5;

/** What is wrong with the bots after a run. The tabs are still open, and told of all that there is. */
export async function botViolations(client: Client, bots: Bots): Promise<string[]> {
  const stored = await readConversations(client);
  await bots.untilTold(
    new Map([...stored].flatMap(([id, { transcript }]) => transcript.slice(-1).map((last) => [id, last.id]))),
  );
  const { chats } = bots;
  const chatOf = new Map(chats.map((chat) => [chat.id, chat]));
  return [
    ...few(bots.problems),
    ...few([...stored.values()].flatMap((one) => wrongTranscript(one, chatOf.get(one.id)))),
    ...few(chats.flatMap((chat) => wrongAnswers(chat, stored.get(chat.id)))),
    ...few(bots.readers.flatMap((reader) => wrongStream(reader, stored.get(reader.chat.id)))),
    ...few(wrongWords(bots, [...stored.values()])),
    ...few(await wrongPages(bots, stored)),
    ...(await wrongLeads(client, bots)),
    ...(await wrongEvents(client, bots, [...stored.values()])),
  ];
}

function few(found: string[]): string[] {
  return found.length > MOST_SHOWN ? [...found.slice(0, MOST_SHOWN), `and ${found.length - MOST_SHOWN} more`] : found;
}

/** Every word of a person is there once; of what the database did not say, at most once. */
function wrongWords({ agents: { said } }: Bots, stored: readonly StoredConversation[]): string[] {
  const words = stored.flatMap(({ transcript }) => transcript.filter(isAgents));
  const uncertain = new Set(said.filter(({ outcome }) => outcome === 'maybe').map(({ content }) => content));
  return [
    ...differences(
      'words of people, said and stored',
      said
        .filter(({ outcome }) => outcome === 'said')
        .map(({ conversationId, content }) => `${conversationId} ${content}`),
      words
        .filter(({ content }) => !uncertain.has(content))
        .map(({ conversationId, content }) => `${conversationId} ${content}`),
    ),
    ...[...uncertain]
      .filter((content) => words.filter((word) => word.content === content).length > 1)
      .map((content) => `${content} was said once and is stored twice`),
  ];
}

/** Transcripts as their visitors get them are those that are stored. */
async function wrongPages({ chats, urls }: Bots, stored: ReadonlyMap<string, StoredConversation>): Promise<string[]> {
  const found: string[] = [];
  for (const [index, { id, token }] of chats.entries()) {
    const told: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const url = `${urls[index % urls.length]}/api/v1/chat/conversations/${id}/messages?limit=7${query}`;
      const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (!answer.ok) return [`the transcript of ${id} was answered ${answer.status}`];
      const page = (await answer.json()) as { messages: MessageRecord[]; nextCursor?: string };
      told.push(...page.messages.map((message) => message.id));
      cursor = page.nextCursor;
    }
    const kept = stored.get(id)?.transcript.map((message) => message.id) ?? [];
    if (told.join() !== kept.join()) found.push(`the transcript of ${id} is read other than it is stored`);
  }
  return found;
}

async function wrongLeads(client: Client, { chats }: Bots): Promise<string[]> {
  const acknowledged = submissionsOf(chats.flatMap(({ posts }) => posts));
  const checks: [string, string, unknown[]][] = [
    [
      'submissions acknowledged and lost, or of somebody else',
      `SELECT a.* FROM json_to_recordset($1) AS a (id uuid, email text)
       LEFT JOIN bots.submissions AS s ON s.id = a.id LEFT JOIN bots.contacts AS c ON c.id = s.contact_id
       WHERE c.email IS DISTINCT FROM a.email`,
      [JSON.stringify(acknowledged)],
    ],
    [
      'submissions that are of no turn, or of several',
      `SELECT s.id, count(a.key) FROM bots.submissions AS s
       LEFT JOIN idempotency.answers AS a ON a.caller_id = s.conversation_id AND a.body->>'submissionId' = s.id::text
       GROUP BY s.id HAVING count(a.key) <> 1`,
      [],
    ],
    [
      'turns whose submission is not there',
      `SELECT a.key FROM idempotency.answers AS a LEFT JOIN bots.submissions AS s ON s.id::text = a.body->>'submissionId'
       WHERE a.endpoint LIKE 'bot.%' AND a.body->>'submissionId' IS NOT NULL AND s.id IS NULL`,
      [],
    ],
    [
      'contacts that are there twice, or of no submission',
      `SELECT c.workspace_id, c.email, count(*) FROM bots.contacts AS c
       GROUP BY 1, 2 HAVING count(*) > 1 OR NOT bool_and(EXISTS (SELECT FROM bots.submissions AS s WHERE s.contact_id = c.id))`,
      [],
    ],
  ];
  const found: string[] = [];
  for (const [what, text, values] of checks) {
    const { rows } = await client.query<Record<string, unknown>>(text, values);
    if (rows.length > 0) found.push(`${what}: ${rows.length}, such as ${JSON.stringify(rows[0])}`);
  }
  return found;
}

/** Each thing that happened was told by one event, however often that came. */
async function wrongEvents(client: Client, { ear }: Bots, stored: StoredConversation[]): Promise<string[]> {
  const messages = stored.flatMap(({ transcript }) => transcript);
  const { rows: leads } = await client.query<{ id: string; contact_id: string }>(
    'SELECT id, contact_id FROM bots.submissions',
  );
  const told = (type: string, ...fields: string[]): string[] =>
    ear.of(type).map(({ data }) => fields.map((field) => String(data[field])).join(' '));
  const expected: [string, string[], string[]][] = [
    ['bot.conversation.started', stored.map(({ id }) => id), ['conversationId']],
    [
      'bot.message.received',
      messages
        .filter(({ role }) => role === 'user')
        .map(({ conversationId, id, content }) => `${conversationId} ${id} ${content}`),
      ['conversationId', 'messageId', 'content'],
    ],
    [
      'bot.handoff.requested',
      stored.flatMap(({ transcript }) =>
        transcript.flatMap(({ metadata }, index) =>
          metadata['via'] === 'handoff' ? (transcript[index - 1]?.id ?? 'nobody') : [],
        ),
      ),
      ['messageId'],
    ],
    ['bot.conversation.ended', stored.flatMap(endsOf), ['conversationId']],
    ['lead.captured', leads.map(({ id, contact_id: contact }) => `${id} ${contact}`), ['submissionId', 'contactId']],
  ];
  return expected.flatMap(([type, ids, fields]) =>
    differences(`what is stored and ${type}`, ids, told(type, ...fields)),
  );
}

/** A conversation once for each time that it was open and then was not. */
function endsOf({ id, rules }: StoredConversation): string[] {
  const before = ['open', ...rules.map(({ status }) => status)];
  return rules.flatMap(({ status }, index) => (status !== 'open' && before[index] === 'open' ? [id] : []));
}
