import { FIGURES, GRAINS } from '@heliograph/analytics';
import type { Client } from 'pg';

/** Messages of the year before now, in rollups of each quarter hour. */
export const GENERATED = { messages: 50_000_000, quarters: 365 * 96 };

/** Number of keys by dimension, and the share of quarter hours in which each key has messages. */
const SMS_KEYS = {
  country: [20, 1],
  sender_id: [10, 1],
  template_id: [100, 0.2],
  campaign_id: [500, 0.01],
  error: [10, 1],
};
const EMAIL_KEYS = {
  domain: [1_000, 0.02],
  sender: [10, 1],
  template_id: [100, 0.2],
  campaign_id: [500, 0.01],
  tag: [20, 1],
};

/** Fills the rollups of an organization as if 50 million messages had been counted within a year. Returns the rows. */
export async function generateRollups(client: Client, organizationId: string, workspaceId: string): Promise<number> {
  const owner = [organizationId, workspaceId];
  const perQuarter = Math.round(GENERATED.messages / GENERATED.quarters);
  const fill = async (table: string, figures: readonly string[], keys: Record<string, number[]>): Promise<void> => {
    for (const [dimension, [count = 1, share = 1]] of Object.entries({ total: [1, 1], ...keys })) {
      const amount = Math.max(1, Math.round(perQuarter / (count * share)));
      await client.query(
        `INSERT INTO analytics.${table}
         SELECT $1, '${dimension}', 'quarter', t, $2, ${dimension === 'total' ? `''` : `'key-' || k`},
           ${figures.map((_, place) => (place === 0 ? amount : Math.round(amount * 0.9 ** place))).join(', ')}
         FROM generate_series(date_trunc('hour', now()) - interval '365 days', now(), '15 minutes') AS t,
           generate_series(1, ${count}) AS k
         WHERE ${share} = 1 OR hashint8(extract(epoch FROM t)::bigint + k) % ${Math.round(1 / share)} = 0`,
        owner,
      );
    }
    await rollUp(client, table, figures);
  };
  await fill('sms_rollups', FIGURES.sms, SMS_KEYS);
  await fill('email_rollups', FIGURES.email, EMAIL_KEYS);
  await fill('chatapp_rollups', FIGURES.chatapp, {});
  await fill('bots_rollups', FIGURES.bots, {});
  await fill('credits_rollups', FIGURES.credits, {
    credit_type: [3, 1],
  });
  await client.query(`UPDATE analytics.credits_rollups SET key = (ARRAY['sms', 'email', 'chatapp'])[right(key, 1)::int]
    WHERE dimension = 'credit_type'`);
  await generateLatencies(client, owner, perQuarter);
  await client.query('VACUUM ANALYZE');
  const { rows } = await client.query<{ count: string }>(
    `SELECT sum(n_live_tup)::text AS count FROM pg_stat_user_tables WHERE schemaname = 'analytics'`,
  );
  return Number(rows[0]?.count ?? 0);
}

/**
 * Latencies of 1 to 8 seconds in twelve buckets: of everything and of countries by quarter hour, of other dimensions by day, whose
 * shorter rollups would only lengthen the generation.
 */
async function generateLatencies(client: Client, owner: string[], perQuarter: number): Promise<void> {
  const insert = (dimension: string, count: number, grain: string, step: string, where: string): Promise<unknown> =>
    client.query(
      `INSERT INTO analytics.sms_latencies
       SELECT $1, '${dimension}', '${grain}', t, $2, ${dimension === 'total' ? `''` : `'key-' || k`}, b,
         ${Math.max(1, Math.round(perQuarter / (count * 12)))}
       FROM generate_series(date_trunc('day', now()) - interval '365 days', now(), '${step}') AS t,
         generate_series(1, ${count}) AS k, generate_series(40, 51) AS b WHERE ${where}`,
      owner,
    );
  await insert('total', 1, 'quarter', '15 minutes', 'true');
  await insert('country', 20, 'quarter', '15 minutes', 'extract(minute FROM t) = 0');
  await rollUp(client, 'sms_latencies', ['messages'], ', bucket');
  const others = Object.entries(SMS_KEYS).filter(([dimension]) => dimension !== 'country');
  for (const [dimension, [count = 1]] of others) await insert(dimension, count, 'day', '1 day', 'true');
  await rollUp(client, 'sms_latencies', ['messages'], ', bucket', 'day');
}

/** Adds the rollups of the longer grains, for the dimensions that have no other. */
async function rollUp(
  client: Client,
  table: string,
  figures: readonly string[],
  extra = '',
  from: (typeof GRAINS)[number] = 'quarter',
): Promise<void> {
  for (const grain of GRAINS.slice(GRAINS.indexOf(from) + 1)) {
    await client.query(
      `INSERT INTO analytics.${table}
       SELECT organization_id, dimension, '${grain}', analytics.start_of('${grain}', at) AS start, workspace_id, key${extra},
         ${figures.map((figure) => `sum(${figure})`).join(', ')}
       FROM analytics.${table} WHERE grain = '${from}'
       GROUP BY organization_id, dimension, start, workspace_id, key${extra} ON CONFLICT DO NOTHING`,
    );
  }
}
