import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, LOGGER, type Logger } from '@heliograph/service-kit';
import type { EmailApiConfig } from '../email-api.config';
import { DeliveryService, type DeliveryResult } from '../sending/delivery.service';
import { MailComposer } from '../sending/mail-composer';
import type { SentMessage } from '../sending/sent-message';
import { deferralOf, type CallResult } from './send-response';

/** Delivers a send within the request, up to the deadline of the call. */
@Injectable()
export class CallDelivery {
  constructor(
    private readonly deliveries: DeliveryService,
    private readonly composer: MailComposer,
    @Inject(CONFIG) private readonly config: EmailApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  /** Delivers the mails of a send. Mails that are still pending at the deadline are sent in the background and count as sent. */
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
      // If there is only one recipient, the mark was stored together with the send.
      marks: to.length > 1,
      kind: to.length === 1 ? 'single' : 'bulk',
      isSlice: false,
      signal: deadline.signal,
    });
    let timer: NodeJS.Timeout | undefined;
    const ended = new Promise<null>((resolve) => {
      timer = setTimeout(() => {
        deadline.abort();
        resolve(null);
      }, this.config.EMAIL_CALL_DEADLINE_MS);
    });
    const outcomes = await Promise.all(deliveries.map((delivery) => Promise.race([this.settled(delivery), ended])));
    clearTimeout(timer);
    return recipients.map(({ position }, index) => ({
      position,
      messageId: this.composer.messageIdOf(sent, position),
      refusal: refusalOf(outcomes[index]),
      deferral: deferralIn(outcomes[index]),
    }));
  }

  /**
   * Returns null if the outcome cannot be recorded. The response then reports the mail as sent, and the process that
   * continues the send records the outcome.
   */
  private settled(delivery: Promise<DeliveryResult>): Promise<DeliveryResult | null> {
    return delivery.catch((error: unknown) => {
      this.log.error({ err: error }, 'failed to record the outcome of a delivery');
      return null;
    });
  }
}

function refusalOf(result: DeliveryResult | null | undefined): string | null {
  return result?.outcome === 'refused' ? (result.error ?? 'The mail backend rejected the mail.') : null;
}

function deferralIn(result: DeliveryResult | null | undefined): string | null {
  if (!result || result.outcome === 'sent' || result.outcome === 'refused') return null;
  return deferralOf(result.error ?? 'The mail backend deferred the mail.', result.mayBeSent);
}
