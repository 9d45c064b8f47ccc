import type { Pool } from 'pg';

/** Tokens of a bot that are reserved for a call. */
export interface Reservation {
  botId: string;
  /** UTC, `YYYY-MM-DD` */
  day: string;
  tokens: number;
}

const KEPT_DAYS = 90;

/**
 * The token budget of a bot per day (UTC, by the clock of the database), across all processes. Tokens are reserved
 * before a call, so that concurrent calls cannot exceed the limit, and settled after it. The tokens that a crashed
 * process reserved remain used.
 */
export class TokenBudget {
  private sweptDay = '';

  constructor(
    private readonly pool: Pool,
    private readonly dailyTokens: number,
  ) {}

  /** Reserves tokens. Returns null if the remaining budget is too small. */
  async reserve(botId: string, tokens: number): Promise<Reservation | null> {
    if (tokens > this.dailyTokens) return null;
    const { rows } = await this.pool.query<{ day: string }>({
      name: 'bots-model-reserve',
      text: `INSERT INTO bots.model_uses AS known (bot_id, day, tokens) VALUES ($1, (now() AT TIME ZONE 'utc')::date, $2)
        ON CONFLICT (bot_id, day) DO UPDATE SET tokens = known.tokens + excluded.tokens
        WHERE known.tokens + excluded.tokens <= $3
        RETURNING day::text`,
      values: [botId, tokens, this.dailyTokens],
    });
    const [row] = rows;
    if (!row) return null;
    if (row.day !== this.sweptDay) await this.sweep(row.day);
    return { botId, day: row.day, tokens };
  }

  /** Replaces the reservation with the actual usage. */
  async settle({ botId, day, tokens }: Reservation, used: number): Promise<void> {
    await this.pool.query({
      name: 'bots-model-settle',
      text: 'UPDATE bots.model_uses SET tokens = greatest(0, tokens + $3) WHERE bot_id = $1 AND day = $2',
      values: [botId, day, used - tokens],
    });
  }

  /** Deletes old rows once a day, with the first call of the day. */
  private async sweep(today: string): Promise<void> {
    this.sweptDay = today;
    await this.pool.query('DELETE FROM bots.model_uses WHERE day < $1::date - $2::integer', [today, KEPT_DAYS]);
  }
}
