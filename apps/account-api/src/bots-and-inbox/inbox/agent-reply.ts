import { cleanText } from '@heliograph/bot-catalog';
import { AppError } from '@heliograph/errors';
import { MAX_REPLY_LENGTH } from './conversations.dto';

/** The text of an agent's reply as it is stored. Throws VALIDATION_ERROR. */
export function readReply(message: string): string {
  const content = cleanText(message);
  if (content === '') throw new AppError('VALIDATION_ERROR', 'message: must contain text after HTML is stripped.');
  if ([...content].length > MAX_REPLY_LENGTH) {
    throw new AppError('VALIDATION_ERROR', `message: must be text of at most ${MAX_REPLY_LENGTH} characters.`);
  }
  return content;
}
