import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { Backlog } from '@heliograph/messaging';
import { LOGGER, METRICS, type Logger } from '@heliograph/platform';
import { PROCESSOR_SIGNATURE_HEADER, verifyProcessorSignature } from '@heliograph/signatures';
import { Counter, type Registry } from 'prom-client';
import type { BillingHookSettings } from '../billing-hook.config';
import { BILLING_HOOK_SETTINGS } from '../billing-hook.tokens';
import { EventStore } from './event-store';
import { readEvent } from './read-event';

const REFUSALS = {
  malformed: `${PROCESSOR_SIGNATURE_HEADER} is not of the form t=<seconds>,v1=<hex>. Send it as the processor makes it.`,
  mismatch:
    'The signature does not fit the body. Check that BILLING_WEBHOOK_SECRET is the secret of this very endpoint, and that no proxy rewrites the body.',
  stale: 'The signature is more than five minutes away from now. Check the clocks, and send the event anew.',
} as const;

/** Lets nothing in that the processor did not sign, and stores the rest before it is acknowledged. */
@Injectable()
export class ReceiveService {
  private readonly received: Counter<'outcome'>;

  constructor(
    @Inject(EventStore) private readonly events: EventStore,
    @Inject(Backlog) private readonly backlog: Backlog,
    @Inject(BILLING_HOOK_SETTINGS) private readonly settings: BillingHookSettings,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.received = new Counter({
      name: 'billing_events_received_total',
      help: 'Genuine events of the processor, new and repeated',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** Before anything of the call is read. Throws BILLING_NOT_CONFIGURED. */
  assertConfigured(): void {
    this.secrets();
  }

  /**
   * Answers the event's id once it is stored; the same for a repeat, which does nothing. Throws MISSING_SIGNATURE,
   * INVALID_SIGNATURE, INVALID_PAYLOAD.
   */
  async receive(signature: string | undefined, rawBody: Buffer, correlationId: string): Promise<string> {
    this.assertGenuine(signature, rawBody);
    const event = { ...readEvent(rawBody), correlationId };
    this.backlog.assertRoom();
    const isNew = await this.events.store(event);
    this.received.inc({ outcome: isNew ? 'stored' : 'repeated' });
    if (!isNew && (await this.events.differs(event))) {
      this.log.warn(
        { requestId: correlationId, eventId: event.id },
        'an event came again with another body; the first counts',
      );
    }
    return event.id;
  }

  /** What a signature may be made with. */
  private secrets(): string[] {
    const { BILLING_SECRET_KEY, BILLING_WEBHOOK_SECRET } = this.settings;
    if (BILLING_SECRET_KEY === undefined || BILLING_WEBHOOK_SECRET === undefined) {
      throw new AppError(
        'BILLING_NOT_CONFIGURED',
        'Payments are not configured here. Set BILLING_SECRET_KEY and BILLING_WEBHOOK_SECRET.',
      );
    }
    return BILLING_WEBHOOK_SECRET;
  }

  private assertGenuine(signature: string | undefined, rawBody: Buffer): void {
    if (signature === undefined || signature === '') {
      throw new AppError('MISSING_SIGNATURE', `There is no ${PROCESSOR_SIGNATURE_HEADER} header. Sign the call.`);
    }
    const verdict = verifyProcessorSignature(signature, rawBody, this.secrets(), Math.floor(Date.now() / 1000));
    if (verdict !== 'ok') throw new AppError('INVALID_SIGNATURE', REFUSALS[verdict]);
  }
}
