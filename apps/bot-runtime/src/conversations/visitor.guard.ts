import { CanActivate, createParamDecorator, ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import type { Request } from 'express';
import { hashToken, readToken } from './conversation-token';
import { ConversationsRepository, type ConversationState } from './conversations.repository';

interface VisitorRequest extends Request {
  conversation?: ConversationState;
}

/** The conversation that the caller's token opens. */
export const OwnConversation = createParamDecorator((_: unknown, context: ExecutionContext): ConversationState => {
  const { conversation } = context.switchToHttp().getRequest<VisitorRequest>();
  if (!conversation) throw unauthenticated();
  return conversation;
});

/** 401 unless the token is that of the conversation which the path names. Nothing of the call is read before. */
@Injectable()
export class VisitorGuard implements CanActivate {
  constructor(@Inject(ConversationsRepository) private readonly conversations: ConversationsRepository) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<VisitorRequest>();
    const token = readToken(request.headers.authorization);
    const conversation = token === null ? null : await this.conversations.byTokenAcrossTenants(hashToken(token));
    // Somebody else's conversation is told apart from one that nobody has by nothing.
    if (conversation === null || conversation.id !== String(request.params['id']).toLowerCase()) {
      throw unauthenticated();
    }
    request.conversation = conversation;
    return true;
  }
}

function unauthenticated(): AppError {
  return new AppError(
    'UNAUTHENTICATED',
    'Send the conversationToken of this conversation as "Authorization: Bearer <token>". Without it, start a new one.',
    { headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}
