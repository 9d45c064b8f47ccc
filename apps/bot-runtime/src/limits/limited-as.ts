import { applyDecorators, SetMetadata, UseGuards } from '@nestjs/common';
import { ChatRefusals } from '../chat.openapi';
import { ChatLimitGuard, LIMITED_AS, type LimitedCall } from './chat-limit.guard';

/** Counts the calls of a route and responds with 429 to calls beyond the limits. The route's VisitorGuard runs first. */
export function LimitedAs(call: LimitedCall): MethodDecorator & ClassDecorator {
  return applyDecorators(SetMetadata(LIMITED_AS, call), UseGuards(ChatLimitGuard), ChatRefusals('RATE_LIMITED'));
}
