import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_REFUSALS, Refusals, TakesKey } from '@heliograph/platform';

/** What all controllers of the chat-app API have in common: a key in either header, and what any call may be refused with. */
export function ChatappApi(tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), Refusals(...KEY_REFUSALS));
}
