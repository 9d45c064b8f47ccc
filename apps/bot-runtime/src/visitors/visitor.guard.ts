import { CanActivate, createParamDecorator, ExecutionContext, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import type { IdentifiedRequest } from '@heliograph/service-kit';
import { hashToken, readToken } from './conversation-token';
import { ConversationsRepository, type ConversationState } from './conversations.repository';

export interface VisitorRequest extends IdentifiedRequest {
  conversation?: ConversationState;
}

/** The conversation of the caller's token. */
export const OwnConversation = createParamDecorator((_: unknown, context: ExecutionContext): ConversationState => {
  const { conversation } = context.switchToHttp().getRequest<VisitorRequest>();
  if (!conversation) throw unauthenticated();
  return conversation;
});

/** Responds with 401 unless the token belongs to the conversation in the path. Runs before the body is read. */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(private readonly conversations: ConversationsRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<VisitorRequest>();
    const token = readToken(request.headers.authorization);
    const conversation = token === null ? null : await this.conversations.byTokenAcrossTenants(hashToken(token));
    // The error is the same for a conversation of another visitor and for an unknown conversation.
    if (conversation === null || conversation.id !== String(request.params['id']).toLowerCase()) {
      throw unauthenticated();
    }
    request.conversation = conversation;
    request.callerId = conversation.id;
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
