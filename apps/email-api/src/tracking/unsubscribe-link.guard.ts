import {
  ArgumentsHost,
  CanActivate,
  Catch,
  createParamDecorator,
  ExceptionFilter,
  ExecutionContext,
  Injectable,
  SetMetadata,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { renderPage } from '@heliograph/service-kit';
import type { Request, Response } from 'express';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { UNKNOWN_LINK_PAGE } from './unsubscribe-pages';

interface LinkRequest extends Request {
  recipient?: RecipientRef;
}

const LINK_REQUIRED = 'email:unsubscribe link';

/** Requires the token of an unsubscribe link in the path parameter `segment`, for all routes of a controller. */
export const RequireUnsubscribeLink = () => SetMetadata(LINK_REQUIRED, true);

class UnknownLinkError extends Error {}

/**
 * Verifies the token of an unsubscribe link, which is the only credential of such a call. It is a global guard, so that it runs
 * before the InputGuard reads the body.
 */
@Injectable()
export class UnsubscribeLinkGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly tokens: RecipientTokens,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    if (!this.reflector.get<boolean | undefined>(LINK_REQUIRED, context.getClass())) return true;
    const request = context.switchToHttp().getRequest<LinkRequest>();
    const recipient = this.tokens.readUnsubscribe(String(request.params['segment']));
    if (!recipient) throw new UnknownLinkError('The token of the unsubscribe link is invalid.');
    request.recipient = recipient;
    return true;
  }
}

/** Answers an invalid link with a page. */
@Catch(UnknownLinkError)
export class UnknownLinkFilter implements ExceptionFilter<UnknownLinkError> {
  catch(_error: UnknownLinkError, host: ArgumentsHost): void {
    const { headers, body } = renderPage(UNKNOWN_LINK_PAGE);
    host.switchToHttp().getResponse<Response>().status(UNKNOWN_LINK_PAGE.status).set(headers).send(body);
  }
}

/** The recipient to whom the unsubscribe link was sent. */
export const LinkRecipient = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<LinkRequest>().recipient,
);
