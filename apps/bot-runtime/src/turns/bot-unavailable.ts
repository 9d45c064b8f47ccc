import { AppError } from '@heliograph/errors';

/** The same error for an unknown, a draft and a paused bot. */
export function botUnavailable(): AppError {
  return new AppError('BOT_UNAVAILABLE', 'This bot is not available. Check botId, or try again later.');
}
