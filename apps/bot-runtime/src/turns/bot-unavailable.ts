import { AppError } from '@heliograph/errors';

/** The error for unknown, draft and paused bots. It is the same, so that callers cannot distinguish them. */
export function botUnavailable(): AppError {
  return new AppError('BOT_UNAVAILABLE', 'This bot is not available. Check botId, or try again later.');
}
