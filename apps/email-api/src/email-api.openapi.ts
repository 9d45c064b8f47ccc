import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_REFUSALS, Refusals, TakesKey } from '@heliograph/platform';

/** What all controllers of the email API have in common: a key in either header, and what any call may be refused with. */
export function EmailApi(tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), Refusals(...KEY_REFUSALS));
}
