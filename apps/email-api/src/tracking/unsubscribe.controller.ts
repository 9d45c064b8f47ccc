import { Controller, Get, Inject, Param, Post, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LOGGER, Public, readBody, requestIdOf, type Logger } from '@heliograph/service-kit';
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
 * The link of List-Unsubscribe (RFC 8058). GET changes nothing, because scanners follow links. POST unsubscribes and
 * never redirects; the token is the only credential.
 */
@ApiExcludeController()
@Public()
@Controller('email/u')
export class UnsubscribeController {
  constructor(
    private readonly tokens: RecipientTokens,
    private readonly events: RecipientEvents,
    private readonly mails: MailsRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Get(':segment')
  async confirm(@Param('segment') segment: string, @Res() response: ServerResponse): Promise<void> {
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
    const requested = readUnsubscribeBody(mediaType, bytes);
    if (!requested) return sendPage(response, { ...confirmPage(await this.find(ref)), status: 400 });
    const isKnown = await this.record(ref, response);
    if (isKnown === null) return sendPage(response, TRY_AGAIN_PAGE);
    if (!isKnown) return sendPage(response, UNKNOWN_LINK_PAGE);
    if (requested === 'page') return sendPage(response, donePage(await this.find(ref)));
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });
    response.end('Unsubscribed.\n');
  }

  /** Returns false if the mail is unknown, and null if the event could not be recorded. */
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
      this.log.error({ err: error, requestId: requestIdOf(response) }, 'failed to record an unsubscribe');
      return null;
    }
  }

  /** Returns null also if the database is unavailable, so that the page works without names. */
  private async find(ref: RecipientRef): Promise<SentMail | null> {
    return this.mails.findAcrossTenants(ref).catch(() => null);
  }
}
