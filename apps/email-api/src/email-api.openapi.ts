import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_REFUSALS, Refusals, TakesKey } from '@heliograph/service-kit';

/**
 * Documentation shared by all controllers of the email API: the two API key headers and the error responses that every
 * operation can return.
 */
export function EmailApi(tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), Refusals(...KEY_REFUSALS));
}
