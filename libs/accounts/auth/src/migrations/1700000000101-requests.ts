import { firstIdOf } from '@heliograph/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const WEEK_MS = 7 * 86_400_000;
/** Number of partitions that exist before the account API, which maintains them, starts for the first time. */
const WEEKS = 3;

/** The request log: the calls of API keys. */
export class Requests1700000000101 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE auth.requests (
        id uuid NOT NULL,
        organization_id uuid NOT NULL,
        workspace_id uuid,
        key_id uuid NOT NULL,
        request_id text NOT NULL,
        service text NOT NULL,
        method text NOT NULL,
        path text NOT NULL,
        status smallint NOT NULL,
        error text,
        duration_ms integer NOT NULL,
        address inet,
        request_body text,
        response_body text,
        CONSTRAINT requests_pkey PRIMARY KEY (organization_id, id)
      ) PARTITION BY RANGE (id)`);
    // Callers and the gateway choose request ids, so they are random. A B-tree of random texts would write a page of the index for
    // almost every call. A range has about 5,000 calls; -0.15 means 15 % of the largest number of rows on its pages.
    await runner.query(`
      CREATE INDEX requests_request_id ON auth.requests
      USING brin (request_id text_bloom_ops (n_distinct_per_range = -0.15, false_positive_rate = 0.01))
      WITH (pages_per_range = 128)`);
    const thisWeek = Math.floor(Date.now() / WEEK_MS);
    for (let week = thisWeek; week < thisWeek + WEEKS; week++) {
      const [from, until] = [week, week + 1].map((number) => firstIdOf(new Date(number * WEEK_MS)));
      await runner.query(
        `CREATE TABLE auth.requests_w${week} PARTITION OF auth.requests FOR VALUES FROM ('${from}') TO ('${until}')`,
      );
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE auth.requests');
  }
}
