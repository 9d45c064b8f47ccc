import { CanActivate, createParamDecorator, ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AppError } from '@heliograph/errors';
import { ACCESS, type IdentifiedRequest } from '@heliograph/service-kit';
import { hashToken } from '@heliograph/secrets';
import { readConversationToken } from './conversation-token';
import { ConversationsRepository, type ConversationState } from './conversations.repository';

export interface VisitorRequest extends IdentifiedRequest {
  conversation?: ConversationState;
}

type Access = 'public' | 'conversation';

/** Requires the token of the conversation in the path parameter `id`. */
export const RequireConversation = () => SetMetadata<string, Access>(ACCESS, 'conversation');

/** The conversation of the caller's token. */
export const OwnConversation = createParamDecorator((_: unknown, context: ExecutionContext): ConversationState => {
  const { conversation } = context.switchToHttp().getRequest<VisitorRequest>();
  if (!conversation) throw unauthenticated();
  return conversation;
});

/**
 * Responds with 401 unless the route is public or the token belongs to the conversation in the path. It is a global guard, so
 * that it runs before the InputGuard reads the body.
 */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly conversations: ConversationsRepository,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.getAllAndOverride<Access | undefined>(ACCESS, [
      context.getHandler(),
      context.getClass(),
    ]);
    if (access === 'public') return true;
    const request = context.switchToHttp().getRequest<VisitorRequest>();
    const token = readConversationToken(request.headers.authorization);
    const conversation = token === null ? null : await this.conversations.byTokenAcrossTenants(hashToken(token));
    // The error is the same for a conversation of another visitor and for an unknown conversation.
    if (conversation === null || conversation.id !== String(request.params['id']).toLowerCase()) {
      throw unauthenticated();
    }
    request.conversation = conversation;
    request.callerId = conversation.id;
    request.organizationId = conversation.organizationId;
    return true;
  }
}

function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'Send the conversationToken of this conversation as "Authorization: Bearer <token>", or start a new conversation.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}
