import { AppError } from '@heliograph/errors';
import { LIMITS, type LimitSetting } from './limits.config';

/** A kind of objects whose number per organization is limited. */
export interface LimitedKind {
  setting: LimitSetting;
  /** A query that returns one row per object; `$1` is the organization. */
  rows: string;
}

/** Counts up to `$2` objects, so that the cost is bounded. */
export function countSql({ rows }: LimitedKind): string {
  return `SELECT count(*)::int AS count FROM (${rows} LIMIT $2) AS present`;
}

export function limitReached(setting: LimitSetting, most: number): AppError {
  const { what, remedy } = LIMITS[setting];
  return new AppError(
    'LIMIT_REACHED',
    `The organization has reached its limit of ${most} ${what}. ${remedy}, or ask the operator to raise ${setting}.`,
  );
}
