import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { readRetryAfterMs } from '@heliograph/fairness';
import type { KeyRing } from '@heliograph/secrets';
import { Clock } from '../clock';
import type { Attempt } from '../log/deliveries.repository';
import { requestSigner, type SignedSubscription, type SignRequest } from './compose-request';
import { HttpDelivery, type HttpDeliveryOptions, type Target } from './http-delivery';

export const WEBHOOK_OPTIONS = Symbol('WebhookOptions');

export interface WebhookOptions extends HttpDeliveryOptions {
  keys: KeyRing;
}

export interface PreparedEndpoint {
  target: Target;
  sign: SignRequest;
}

export interface CompletedAttempt {
  attempt: Attempt;
  at: Date;
  isDelivered: boolean;
  isGone: boolean;
  retryAfterMs: number | null;
}

/** Signs an event and posts it to the endpoint of a subscription. */
@Injectable()
export class Deliverer implements OnApplicationShutdown {
  readonly http: HttpDelivery;
  private readonly keys: KeyRing;

  constructor(
    @Inject(WEBHOOK_OPTIONS) { keys, ...options }: WebhookOptions,
    private readonly clock: Clock,
  ) {
    this.keys = keys;
    this.http = new HttpDelivery(options);
  }

  /** Checks the URL and opens the secrets of a subscription once for many deliveries. */
  prepare(subscription: SignedSubscription & { url: string }): PreparedEndpoint {
    return { target: this.http.targetOf(subscription.url), sign: requestSigner(this.keys, subscription) };
  }

  /** Never rejects for a problem of the endpoint. */
  async deliver({ target, sign }: PreparedEndpoint, eventId: string, body: string): Promise<CompletedAttempt> {
    const at = this.clock.now();
    const answer = await this.http.post(target, sign(eventId, body, at), body);
    const { statusCode, error, responseBody, durationMs, retryAfter } = answer;
    const isDelivered = statusCode !== null && statusCode >= 200 && statusCode < 300;
    const honoursRetryAfter = statusCode === 429 || statusCode === 503;
    return {
      attempt: {
        at: at.toISOString(),
        duration_ms: durationMs,
        status_code: statusCode,
        error: isDelivered ? null : (error ?? `The endpoint answered ${statusCode}.`),
        response_body: responseBody,
      },
      at,
      isDelivered,
      isGone: statusCode === 410,
      retryAfterMs: honoursRetryAfter ? readRetryAfterMs(retryAfter, this.clock.now()) : null,
    };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.http.stop();
  }
}
