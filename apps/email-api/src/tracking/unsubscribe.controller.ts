import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LOGGER, Public, readBody, requestIdOf, type Logger } from '@heliograph/platform';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientEvents } from '../events/recipient-events';
import { RecipientTokens } from '../tokens/recipient-tokens';
import { MailsRepository, type SentMail } from './mails.repository';
import { sendPage } from './page';
import { readUnsubscribeBody } from './read-unsubscribe-body';
import { confirmPage, donePage, TRY_AGAIN_PAGE, UNKNOWN_LINK_PAGE } from './unsubscribe-pages';

const MAX_BODY_BYTES = 10_000;

/**
 * The link of List-Unsubscribe (RFC 8058). Looking at it changes nothing, because scanners follow links. A POST acts
 * and never redirects; the token is all that it needs.
 */
@ApiExcludeController()
@Public()
@Controller('email/u')
export class UnsubscribeController {
  constructor(
    @Inject(RecipientTokens) private readonly tokens: RecipientTokens,
    @Inject(RecipientEvents) private readonly events: RecipientEvents,
    @Inject(MailsRepository) private readonly mails: MailsRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Get(':segment')
  async ask(@Param('segment') segment: string, @Res() response: ServerResponse): Promise<void> {
    const ref = this.tokens.readUnsubscribe(segment);
    sendPage(response, ref ? confirmPage(await this.find(ref)) : UNKNOWN_LINK_PAGE);
  }

  @Post(':segment')
  async unsubscribe(
    @Param('segment') segment: string,
    @Req() request: IncomingMessage,
    @Res() response: ServerResponse,
  ): Promise<void> {
    const ref = this.tokens.readUnsubscribe(segment);
    if (!ref) return sendPage(response, UNKNOWN_LINK_PAGE);
    const { mediaType, bytes } = await readBody(request, response, MAX_BODY_BYTES);
    const asked = readUnsubscribeBody(mediaType, bytes);
    if (!asked) return sendPage(response, { ...confirmPage(await this.find(ref)), status: 400 });
    const isKnown = await this.record(ref, response);
    if (isKnown === null) return sendPage(response, TRY_AGAIN_PAGE);
    if (!isKnown) return sendPage(response, UNKNOWN_LINK_PAGE);
    if (asked === 'page') return sendPage(response, donePage(await this.find(ref)));
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end('Unsubscribed.\n');
  }

  /** False: no such mail is known any more. Null: nothing could be recorded. */
  private async record(ref: RecipientRef, response: ServerResponse): Promise<boolean | null> {
    try {
      const outcome = await this.events.record({
        ...ref,
        type: 'unsubscribed',
        url: null,
        reason: null,
        occurredAt: new Date(),
        suppresses: true,
      });
      return outcome !== 'unknown';
    } catch (error) {
      this.log.error({ err: error, requestId: requestIdOf(response) }, 'an unsubscribe could not be recorded');
      return null;
    }
  }

  /** Null also when the database is away: the page is worth more than the names on it. */
  private async find(ref: RecipientRef): Promise<SentMail | null> {
    return this.mails.findAcrossTenants(ref).catch(() => null);
  }
}
