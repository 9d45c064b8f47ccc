import { Body, Controller, Get, Inject, Post, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AcceptsBody, HttpResult, LOGGER, Public, renderPage, RequestId, type Logger } from '@heliograph/service-kit';
import type { RecipientRef } from '../events/recipient-event';
import { RecipientEvents } from '../events/recipient-events';
import { MailsRepository, type SentMail } from './mails.repository';
import { normalizeUnsubscribe, UnsubscribeForm } from './unsubscribe-form.dto';
import { LinkRecipient, RequireUnsubscribeLink, UnknownLinkFilter } from './unsubscribe-link.guard';
import {
  confirmPage,
  donePage,
  stillUnsubscribedPage,
  subscribedPage,
  TRY_AGAIN_PAGE,
  TRY_UNDO_AGAIN_PAGE,
  UNKNOWN_LINK_PAGE,
} from './unsubscribe-pages';

const MAX_BODY_BYTES = 10_000;
const ONE_CLICK_RESPONSE = new HttpResult({
  status: 200,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: 'Unsubscribed.\n',
});

/**
 * The link of List-Unsubscribe (RFC 8058). GET changes nothing, because scanners follow links. POST unsubscribes, or
 * undoes that if the form of the page requests it, and never redirects.
 */
@ApiExcludeController()
@Public()
@RequireUnsubscribeLink()
@UseFilters(UnknownLinkFilter)
@Controller(['email/u/:segment', 'api/email/u/:segment'])
export class UnsubscribeController {
  constructor(
    private readonly events: RecipientEvents,
    private readonly mails: MailsRepository,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  @Get()
  async confirm(@LinkRecipient() ref: RecipientRef): Promise<HttpResult<string>> {
    const mail = await this.find(ref);
    return renderPage(mail?.isUnsubscribed ? donePage(mail) : confirmPage(mail));
  }

  @Post()
  // Mail clients declare various charsets; the form is ASCII.
  @AcceptsBody({
    maxBytes: MAX_BODY_BYTES,
    bytes: normalizeUnsubscribe,
    charset: { pattern: /./, name: 'any charset' },
  })
  async unsubscribe(
    @LinkRecipient() ref: RecipientRef,
    @Body() { requested }: UnsubscribeForm,
    @RequestId() requestId: string,
  ): Promise<HttpResult<string>> {
    if (!requested) return renderPage({ ...confirmPage(await this.find(ref)), status: 400 });
    if (requested === 'undo') return this.undo(ref, requestId);
    const isKnown = await this.record(ref, requestId);
    if (isKnown === null) return renderPage(TRY_AGAIN_PAGE);
    if (!isKnown) return renderPage(UNKNOWN_LINK_PAGE);
    return requested === 'page' ? renderPage(donePage(await this.find(ref))) : ONE_CLICK_RESPONSE;
  }

  private async undo(ref: RecipientRef, requestId: string): Promise<HttpResult<string>> {
    try {
      const isRemoved = await this.events.undoUnsubscribe(ref);
      const mail = await this.find(ref);
      if (!mail && !isRemoved) return renderPage(UNKNOWN_LINK_PAGE);
      return renderPage(mail?.isSuppressed ? stillUnsubscribedPage(mail) : subscribedPage(mail));
    } catch (error) {
      this.log.error({ err: error, requestId }, 'failed to undo an unsubscribe');
      return renderPage(TRY_UNDO_AGAIN_PAGE);
    }
  }

  /** Returns false if the mail is unknown, and null if the event could not be recorded. */
  private async record(ref: RecipientRef, requestId: string): Promise<boolean | null> {
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
      this.log.error({ err: error, requestId }, 'failed to record an unsubscribe');
      return null;
    }
  }

  /** Also returns null if the database is unavailable, so that the page is shown without names. */
  private async find(ref: RecipientRef): Promise<SentMail | null> {
    return this.mails.findAcrossTenants(ref).catch(() => null);
  }
}
