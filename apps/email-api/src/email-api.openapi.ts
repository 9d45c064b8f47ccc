import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_REFUSALS, Refusals, TakesKey } from '@heliograph/service-kit';

/**
 * Documentation shared by all controllers of the email API: the two API key headers and the error responses that every
 * operation can return. `refusals` documents those errors.
 */
export function EmailApi(tag: string, refusals: typeof Refusals = Refusals): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), refusals(...KEY_REFUSALS));
}
