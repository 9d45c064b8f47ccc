import { Inject, Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { Backlog } from '@heliograph/messaging';
import { CONFIG, LOGGER, METRICS, type Logger } from '@heliograph/service-kit';
import { verifyProcessorSignature } from '@heliograph/secrets';
import { Counter, type Registry } from 'prom-client';
import type { BillingHookConfig } from '../billing-hook.config';
import { EventStore } from './event-store';
import type { Acknowledgement } from './payments.dto';
import { readEvent } from './read-event';

const REFUSALS = {
  malformed: 'must have the form t=<seconds>,v1=<hex>. Send it exactly as the processor creates it.',
  mismatch:
    'The signature does not match the body. Check that BILLING_WEBHOOK_SECRET is the secret of this endpoint, and that no proxy modifies the body.',
  stale:
    'The signature timestamp differs from the current time by more than five minutes. Check the clocks, and resend the event.',
} as const;

/** Verifies the signature of events and stores them before they are acknowledged. */
@Injectable()
export class ReceiveService {
  private readonly received: Counter<'outcome'>;

  constructor(
    private readonly events: EventStore,
    private readonly backlog: Backlog,
    @Inject(CONFIG) private readonly config: BillingHookConfig,
    @Inject(LOGGER) private readonly log: Logger,
    @Inject(METRICS) registry: Registry,
  ) {
    this.received = new Counter({
      name: 'billing_events_received_total',
      help: 'Verified events of the processor by outcome: stored or repeated',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  /** Runs before the signature and the body are checked. Throws BILLING_NOT_CONFIGURED. */
  assertConfigured(): void {
    this.secrets();
  }

  /**
   * Verifies and stores an event. Resolves after the commit. A repeated event changes nothing. Throws MISSING_SIGNATURE,
   * INVALID_SIGNATURE, INVALID_PAYLOAD.
   */
  async receive(
    headers: Record<string, string | undefined>,
    rawBody: Buffer,
    correlationId: string,
  ): Promise<Acknowledgement> {
    this.assertGenuine(headers[this.config.BILLING_SIGNATURE_HEADER.toLowerCase()], rawBody);
    const event = readEvent(rawBody);
    this.backlog.assertRoom(null);
    const { outcome } = await this.events.store(event, correlationId);
    this.received.inc({ outcome: outcome === 'stored' ? 'stored' : 'repeated' });
    if (outcome === 'differs') {
      this.log.warn(
        { requestId: correlationId, eventId: event.id },
        'an event was repeated with a different body; the first body is retained',
      );
    }
    return { received: true, eventId: event.id };
  }

  /** Valid signing secrets. */
  private secrets(): string[] {
    const { BILLING_SECRET_KEY, BILLING_WEBHOOK_SECRET } = this.config;
    if (BILLING_SECRET_KEY === undefined || BILLING_WEBHOOK_SECRET === undefined) {
      throw new AppError(
        'BILLING_NOT_CONFIGURED',
        'Billing is not configured. Set BILLING_SECRET_KEY and BILLING_WEBHOOK_SECRET.',
      );
    }
    return BILLING_WEBHOOK_SECRET;
  }

  private assertGenuine(signature: string | undefined, rawBody: Buffer): void {
    const { BILLING_SIGNATURE_HEADER: name } = this.config;
    if (signature === undefined || signature === '') {
      throw new AppError(
        'MISSING_SIGNATURE',
        `The ${name} header is missing. Send the signature of the processor in this header, or set BILLING_SIGNATURE_HEADER to the name of the header that contains it.`,
      );
    }
    const verdict = verifyProcessorSignature(signature, rawBody, this.secrets(), Math.floor(Date.now() / 1000));
    if (verdict === 'malformed') throw new AppError('INVALID_SIGNATURE', `${name} ${REFUSALS.malformed}`);
    if (verdict !== 'ok') throw new AppError('INVALID_SIGNATURE', REFUSALS[verdict]);
  }
}
