import type { Client } from 'pg';
import { countOf } from '../progress';
import { FAQ_COUNT, faqText } from './content';

/** What must hold once all is answered, named by what is wrong when it does not. */
export async function brokenBots(client: Client, turns: number): Promise<string[]> {
  const checks: [string, number, number][] = [
    [
      'questions that are stored',
      await countOf(client, `SELECT count(*) FROM bots.messages WHERE role = 'user'`),
      turns,
    ],
    [
      'questions without an answer right after them',
      await countOf(
        client,
        `SELECT count(*) FROM bots.messages AS q WHERE q.role = 'user' AND NOT EXISTS (SELECT FROM bots.messages AS a
           WHERE a.conversation_id = q.conversation_id AND a.seq = q.seq + 1 AND a.role = 'assistant')`,
      ),
      0,
    ],
    [
      'conversations with gaps',
      await countOf(
        client,
        `SELECT count(*) FROM bots.conversations AS c WHERE last_seq <> (SELECT count(*) FROM bots.messages AS m
           WHERE m.conversation_id = c.id AND m.seq BETWEEN 1 AND c.last_seq)`,
      ),
      0,
    ],
    ['events that are left', await countOf(client, 'SELECT count(*) FROM messaging.outbox'), 0],
  ];
  return checks
    .filter(([, found, wanted]) => found !== wanted)
    .map(([what, found, wanted]) => `${what}: ${found}, not ${wanted}`);
}

/** How turns were answered: the share of each step, and of questions that were asked word for word, the share that was answered by that very FAQ. */
export async function answeredBy(client: Client): Promise<{ steps: Record<string, number>; right: number }> {
  const { rows } = await client.query<{ via: string; share: number }>(
    `SELECT metadata->>'via' AS via, (count(*) / sum(count(*)) OVER ())::float8 AS share FROM bots.messages
     WHERE role = 'assistant' AND metadata->>'author' = 'bot' GROUP BY 1 ORDER BY 2 DESC`,
  );
  const faqs = Array.from({ length: FAQ_COUNT }, (_, number) => faqText(number));
  const { rows: asked } = await client.query<{ right: number }>(
    `SELECT avg((a.metadata->>'faqId' = f.id)::integer)::float8 AS right
     FROM unnest($1::text[], $2::text[]) AS f (id, question)
     JOIN bots.messages AS q ON q.content = f.question AND q.role = 'user'
     JOIN bots.messages AS a ON a.conversation_id = q.conversation_id AND a.seq = q.seq + 1`,
    [faqs.map(({ id }) => id), faqs.map(({ question }) => question)],
  );
  return { steps: Object.fromEntries(rows.map(({ via, share }) => [via, share])), right: asked[0]?.right ?? NaN };
}
