import { applyDecorators } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { KEY_ERRORS, ApiErrors, TakesKey } from '@heliograph/service-kit';

/** Documentation shared by all controllers of the chat-app API: the two API key headers and the common errors. */
export function ChatappApi(tag: string): ClassDecorator {
  return applyDecorators(ApiTags(tag), TakesKey(), ApiErrors(...KEY_ERRORS));
}
