import { Inject, Injectable } from '@nestjs/common';
import { LOGGER, type Logger } from '@heliograph/platform';
import type { EmailApiSettings } from '../email-api.config';
import { EMAIL_API_SETTINGS } from '../email-api.tokens';
import { DeliveryService, type DeliveryResult } from '../sending/delivery.service';
import { MailComposer } from '../sending/mail-composer';
import type { SentMessage } from '../sending/sent-message';
import type { CallResult } from './send-response';

/** Sends within the call that asked for it, as far as its time goes. */
@Injectable()
export class CallDelivery {
  constructor(
    @Inject(DeliveryService) private readonly deliveries: DeliveryService,
    @Inject(MailComposer) private readonly composer: MailComposer,
    @Inject(EMAIL_API_SETTINGS) private readonly settings: EmailApiSettings,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Who is left when the time is over gets the mail in the background, and counts as sent. */
  async deliver(sent: SentMessage, to: string[], skipped: ReadonlySet<number>): Promise<CallResult[]> {
    const recipients = to
      .map((address, position) => ({
        position,
        address,
        copies: to.length === 1 ? 1 : 0,
        attempts: 0,
        firstTriedAt: null,
      }))
      .filter(({ position }) => !skipped.has(position));
    const deadline = new AbortController();
    const deliveries = this.deliveries.deliver(sent, recipients, {
      // A lone recipient was marked with the send.
      marks: to.length > 1,
      signal: deadline.signal,
    });
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        deadline.abort();
        resolve(null);
      }, this.settings.EMAIL_CALL_DEADLINE_MS);
    });
    const outcomes = await Promise.all(deliveries.map((delivery) => Promise.race([this.settled(delivery), ended])));
    clearTimeout(timer);
    return recipients.map(({ position }, index) => ({
      position,
      messageId: this.composer.messageIdOf(sent, position),
      refusal: refusalOf(outcomes[index]),
    }));
  }

  /** An end that could not be recorded is found by whoever takes the send up: the mail counts as sent here. */
  private settled(delivery: Promise<DeliveryResult>): Promise<DeliveryResult | null> {
    return delivery.catch((error: unknown) => {
      this.log.error({ err: error }, 'the end of a delivery could not be recorded');
      return null;
    });
  }
}

function refusalOf(result: DeliveryResult | null | undefined): string | null {
  return result?.outcome === 'refused' ? (result.error ?? 'The mail backend refused the mail.') : null;
}
