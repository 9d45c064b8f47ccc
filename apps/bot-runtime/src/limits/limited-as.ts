import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ChatApiErrors } from '../chat.openapi';
import { LIMITED_AS, type LimitedCall } from './chat-limit.guard';

/** Makes the ChatLimitGuard count the calls of a route and respond with 429 to calls beyond the limits. */
export function LimitedAs(call: LimitedCall): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(LIMITED_AS, call), ChatApiErrors('RATE_LIMITED'));
}
