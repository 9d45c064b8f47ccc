import { Inject, Injectable } from '@nestjs/common';
import type { Purchase } from '@heliograph/billing';
import { isTestId } from '@heliograph/database';
import { AppError, serviceUnavailable } from '@heliograph/errors';
import { CONFIG, LOGGER, type Logger } from '@heliograph/service-kit';
import Stripe from 'stripe';
import type { AccountApiConfig } from '../../account-api.config';

const TIMEOUT_MS = 10_000;
const RETRIES = 2;

export interface Checkout {
  id: string;
  url: string;
}

export interface CheckoutPages {
  successUrl: string;
  cancelUrl: string;
}

/** Creates payment pages at the payment processor. */
@Injectable()
export class CheckoutService {
  private readonly processor: Stripe | null;

  constructor(
    @Inject(CONFIG) { BILLING_SECRET_KEY, BILLING_API_URL }: AccountApiConfig,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    this.processor =
      BILLING_SECRET_KEY === undefined
        ? null
        : new Stripe(BILLING_SECRET_KEY, {
            timeout: TIMEOUT_MS,
            maxNetworkRetries: RETRIES,
            telemetry: false,
            ...addressOf(BILLING_API_URL),
          });
  }

  /** The processor, which no test organization reaches. Throws FORBIDDEN for a test organization, BILLING_NOT_CONFIGURED. */
  processorOf(organizationId: string): Stripe {
    if (isTestId(organizationId)) {
      throw new AppError(
        'FORBIDDEN',
        'Test mode has no purchases. Set the balance of the test workspace with POST /api/v1/test/credits.',
      );
    }
    if (this.processor) return this.processor;
    throw new AppError(
      'BILLING_NOT_CONFIGURED',
      'Credits cannot be bought, because billing is not configured. Ask the operator to set BILLING_SECRET_KEY of account-api.',
    );
  }

  /**
   * Creates a checkout. The id of the purchase is the idempotency key, so repeated calls create one checkout. Throws
   * BILLING_NOT_CONFIGURED, SERVICE_UNAVAILABLE.
   */
  async create(purchase: Purchase, { successUrl, cancelUrl }: CheckoutPages): Promise<Checkout> {
    const { id, quantity, amount, credits, creditType, currency, expiresAt } = purchase;
    const metadata = { purchase_id: id };
    try {
      const session = await this.processorOf(purchase.organizationId).checkout.sessions.create(
        {
          mode: 'payment',
          client_reference_id: id,
          line_items: [
            {
              quantity,
              price_data: {
                currency: currency.toLowerCase(),
                unit_amount: amount / quantity,
                product_data: { name: `${credits / quantity} ${creditType} credits` },
              },
            },
          ],
          success_url: successUrl,
          cancel_url: cancelUrl,
          metadata,
          payment_intent_data: { metadata },
          expires_at: Math.floor(expiresAt.getTime() / 1_000),
        },
        { idempotencyKey: id },
      );
      if (session.url === null) throw new Error('the processor returned a checkout without a page');
      return { id: session.id, url: session.url };
    } catch (error) {
      if (error instanceof AppError) throw error;
      this.log.error({ err: error, purchaseId: id }, 'the payment processor did not create a checkout');
      throw serviceUnavailable('the payment processor did not create a checkout', error);
    }
  }
}

function addressOf(url: string | undefined): Pick<Stripe.StripeConfig, 'host' | 'port' | 'protocol'> {
  if (url === undefined) return {};
  const { hostname, port, protocol } = new URL(url);
  return {
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port === '' ? {} : { port: Number(port) }),
  };
}
