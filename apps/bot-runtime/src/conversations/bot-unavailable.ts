import { AppError } from '@heliograph/errors';

/** Says the same of a bot that there never was, of a draft and of a paused one. */
export function botUnavailable(): AppError {
  return new AppError('BOT_UNAVAILABLE', 'This bot is not available. Check botId, or try again later.');
}
