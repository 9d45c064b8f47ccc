import type { Client } from 'pg';
import { numberOf, violationsOf } from '../queries';
import { FAQ_COUNT, faqText } from './content';

export async function botViolations(client: Client, questions: number): Promise<string[]> {
  return violationsOf([
    ['stored questions', await numberOf(client, `SELECT count(*) FROM bots.messages WHERE role = 'user'`), questions],
    [
      'questions that are not followed by an answer',
      await numberOf(
        client,
        `SELECT count(*) FROM bots.messages AS q WHERE q.role = 'user' AND NOT EXISTS (SELECT FROM bots.messages AS a
           WHERE a.conversation_id = q.conversation_id AND a.seq = q.seq + 1 AND a.role = 'assistant')`,
      ),
      0,
    ],
    [
      'conversations with gaps',
      await numberOf(
        client,
        `SELECT count(*) FROM bots.conversations AS c WHERE last_seq <> (SELECT count(*) FROM bots.messages AS m
           WHERE m.conversation_id = c.id AND m.seq BETWEEN 1 AND c.last_seq)`,
      ),
      0,
    ],
    ['events in the outbox', await numberOf(client, 'SELECT count(*) FROM messaging.outbox'), 0],
  ]);
}

/** The share of each step that answered, and the share of literal FAQ questions that were answered by that FAQ. */
export async function answerShares(client: Client): Promise<{ steps: Record<string, number>; correct: number }> {
  const { rows } = await client.query<{ via: string; share: number }>(
    `SELECT metadata->>'via' AS via, (count(*) / sum(count(*)) OVER ())::float8 AS share FROM bots.messages
     WHERE role = 'assistant' AND metadata->>'author' = 'bot' GROUP BY 1 ORDER BY 2 DESC`,
  );
  const faqs = Array.from({ length: FAQ_COUNT }, (_, number) => faqText(number));
  const { rows: matches } = await client.query<{ correct: number }>(
    `SELECT avg((a.metadata->>'faqId' = f.id)::integer)::float8 AS correct
     FROM unnest($1::text[], $2::text[]) AS f (id, question)
     JOIN bots.messages AS q ON q.content = f.question AND q.role = 'user'
     JOIN bots.messages AS a ON a.conversation_id = q.conversation_id AND a.seq = q.seq + 1`,
    [faqs.map(({ id }) => id), faqs.map(({ question }) => question)],
  );
  return { steps: Object.fromEntries(rows.map(({ via, share }) => [via, share])), correct: matches[0]?.correct ?? NaN };
}
