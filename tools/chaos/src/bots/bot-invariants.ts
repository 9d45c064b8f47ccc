import type { InvariantChecker } from '../invariant-checker';
import type { BotWorkload } from './bot-workload';
import { isByAgent, readConversations, type StoredConversation } from './stored-conversations';
import { streamViolations } from './stream-invariants';
import { acknowledgedSubmissions, answerViolations, transcriptViolations } from './transcript-invariants';
import type { MessageRecord } from './visitor-conversation';

/** Transcripts, answers, event streams, leads and events of the bots agree. The event streams must still be open. */
export async function checkBots(checker: InvariantChecker, bots: BotWorkload): Promise<void> {
  const stored = await readConversations(checker.database);
  const all = [...stored.values()];
  const { conversations, readers } = bots;
  await bots.untilStreamsAreCurrent(
    new Map(all.flatMap(({ id, transcript }) => transcript.slice(-1).map((last) => [id, last.id]))),
  );
  const known = new Map(conversations.map((conversation) => [conversation.id, conversation]));
  for (const violations of [
    bots.problems,
    all.flatMap((conversation) => transcriptViolations(conversation, known.get(conversation.id))),
    conversations.flatMap((conversation) => answerViolations(conversation, stored.get(conversation.id))),
    readers.flatMap((reader) => streamViolations(reader, stored.get(reader.conversation.id))),
    await pageViolations(bots, stored),
  ]) {
    checker.add(violations);
  }
  checkAgentMessages(checker, bots, all);
  await checkLeads(checker, bots);
  await checkEvents(checker, bots, all);
}

/** Every message of an agent is stored once; a message with an unknown outcome at most once. */
function checkAgentMessages(checker: InvariantChecker, { agents }: BotWorkload, stored: StoredConversation[]): void {
  const messages = stored.flatMap(({ transcript }) => transcript.filter(isByAgent));
  const unknown = new Set(agents.messages.filter(({ outcome }) => outcome === 'unknown').map(({ content }) => content));
  const entryOf = ({ conversationId, content }: { conversationId: string; content: string }): string =>
    `${conversationId} ${content}`;
  checker.sameEntries(
    'acknowledged and stored messages of agents',
    agents.messages.filter(({ outcome }) => outcome === 'stored').map(entryOf),
    messages.filter(({ content }) => !unknown.has(content)).map(entryOf),
  );
  checker.add(
    [...unknown]
      .filter((content) => messages.filter((message) => message.content === content).length > 1)
      .map((content) => `${content} is stored twice`),
  );
}

/** The transcript that the API returns is the stored one. */
async function pageViolations(
  { conversations, urls }: BotWorkload,
  stored: ReadonlyMap<string, StoredConversation>,
): Promise<string[]> {
  const found: string[] = [];
  for (const [index, { id, token }] of conversations.entries()) {
    const returned: string[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const query = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const url = `${urls[index % urls.length]}/api/v1/chat/conversations/${id}/messages?limit=7${query}`;
      const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
      if (!response.ok) return [`the transcript of ${id} returned ${response.status}`];
      const page = (await response.json()) as { messages: MessageRecord[]; nextCursor?: string };
      returned.push(...page.messages.map((message) => message.id));
      cursor = page.nextCursor;
    }
    const expected = stored.get(id)?.transcript.map((message) => message.id) ?? [];
    if (returned.join() !== expected.join()) found.push(`the returned transcript of ${id} differs from the stored one`);
  }
  return found;
}

async function checkLeads(checker: InvariantChecker, { conversations }: BotWorkload): Promise<void> {
  await checker.noRows(
    'submissions acknowledged that are lost or have another contact',
    `SELECT a.* FROM json_to_recordset($1) AS a (id uuid, email text)
     LEFT JOIN bots.submissions AS s ON s.id = a.id LEFT JOIN bots.contacts AS c ON c.id = s.contact_id
     WHERE c.email IS DISTINCT FROM a.email`,
    [JSON.stringify(acknowledgedSubmissions(conversations.flatMap(({ posts }) => posts)))],
  );
  await checker.noRows(
    'submissions without exactly one turn',
    `SELECT s.id, count(a.key) FROM bots.submissions AS s
     LEFT JOIN idempotency.answers AS a ON a.caller_id = s.conversation_id AND a.body->>'submissionId' = s.id::text
     GROUP BY s.id HAVING count(a.key) <> 1`,
  );
  await checker.noRows(
    'turns without their submission',
    `SELECT a.key FROM idempotency.answers AS a LEFT JOIN bots.submissions AS s ON s.id::text = a.body->>'submissionId'
     WHERE a.endpoint LIKE 'bot.%' AND a.body->>'submissionId' IS NOT NULL AND s.id IS NULL`,
  );
  await checker.noRows(
    'contacts stored twice or without a submission',
    `SELECT c.workspace_id, c.email, count(*) FROM bots.contacts AS c
     GROUP BY 1, 2 HAVING count(*) > 1 OR NOT bool_and(EXISTS (SELECT FROM bots.submissions AS s WHERE s.contact_id = c.id))`,
  );
}

/** Every change is announced by exactly one event. */
async function checkEvents(
  checker: InvariantChecker,
  { events }: BotWorkload,
  stored: StoredConversation[],
): Promise<void> {
  const messages = stored.flatMap(({ transcript }) => transcript);
  const expected: Record<string, { fields: string[]; entries: string[] }> = {
    'bot.conversation.started': { fields: ['conversationId'], entries: stored.map(({ id }) => id) },
    'bot.message.received': {
      fields: ['conversationId', 'messageId', 'content'],
      entries: messages
        .filter(({ role }) => role === 'user')
        .map(({ conversationId, id, content }) => `${conversationId} ${id} ${content}`),
    },
    'bot.handoff.requested': {
      fields: ['messageId'],
      entries: stored.flatMap(({ transcript }) =>
        transcript.flatMap(({ metadata }, index) =>
          metadata['via'] === 'handoff' ? (transcript[index - 1]?.id ?? 'none') : [],
        ),
      ),
    },
    'bot.conversation.ended': { fields: ['conversationId'], entries: stored.flatMap(endsOf) },
    'lead.captured': {
      fields: ['submissionId', 'contactId'],
      entries: await checker.column(`SELECT id || ' ' || contact_id FROM bots.submissions`),
    },
  };
  for (const [type, { fields, entries }] of Object.entries(expected)) {
    checker.sameEntries(`stored changes and ${type} events`, entries, events.entries(type, ...fields));
  }
}

/** The id of a conversation, once for each time that it changed from open to another status. */
function endsOf({ id, changes }: StoredConversation): string[] {
  const before = ['open', ...changes.map(({ status }) => status)];
  return changes.flatMap(({ status }, index) => (status !== 'open' && before[index] === 'open' ? [id] : []));
}
