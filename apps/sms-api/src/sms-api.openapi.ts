import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_REFUSALS, Refusals, TakesKey } from '@heliograph/platform';

/**
 * What all controllers of the SMS API have in common: a key in either header, and the answers that any call may get,
 * which `refusals` documents.
 */
export function SmsApi(tag: string, refusals: typeof Refusals = Refusals): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), refusals(...KEY_REFUSALS));
}
