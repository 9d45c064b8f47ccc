import type { CarrierSimulator, MailboxSimulator, ProviderSimulator } from '@heliograph/simulators';
import { BOT_CONFIG } from './bots/bot-workload';
import { chatappConfig } from './chatapp/chatapp-workload';
import { PLANS } from './payments/payment-event';
import { PROCESSOR_SECRET } from './payments/post-payment-event';
import { QUEUE_EXPIRES_MS } from './queue-expiry';

export interface Environment {
  databaseUrl: string;
  amqpUrl: string;
  amqpPrefix: string;
  redisUrl: string;
  carrier: CarrierSimulator;
  mailbox: MailboxSimulator;
  provider: ProviderSimulator;
  /** Where the API of the payment processor listens. */
  processorPort: number;
}

/** The config of all services of a run. */
export function serviceConfig(environment: Environment): Record<string, string> {
  const { databaseUrl, amqpUrl, amqpPrefix, redisUrl, carrier, mailbox, provider, processorPort } = environment;
  return {
    HOST: '127.0.0.1',
    DATABASE_URL: databaseUrl,
    AMQP_URL: amqpUrl,
    AMQP_PREFIX: amqpPrefix,
    AMQP_QUEUE_EXPIRES_MS: String(QUEUE_EXPIRES_MS),
    REDIS_URL: redisUrl,
    // Events that the broker lost are published again within the time in which a run settles.
    REQUEUE_AFTER_MS: '5000',
    MESSAGING_RATE_PER_MINUTE: '100000',
    ACCOUNT_RATE_PER_MINUTE: '100000',
    ACCOUNT_AUTH_RATE_PER_MINUTE: '100000',
    BILLING_SECRET_KEY: 'sk_chaos',
    BILLING_API_URL: `http://127.0.0.1:${processorPort}`,
    BILLING_WEBHOOK_SECRET: PROCESSOR_SECRET,
    BILLING_PLANS: JSON.stringify(PLANS),
    EMAIL_SMTP_URL: `smtp://127.0.0.1:${mailbox.smtpPort}`,
    EMAIL_SMTP_REQUIRE_TLS: 'false',
    EMAIL_SMTP_VERIFY_TLS: 'false',
    // Longer than a busy machine needs, shorter than the mail server's slow answers.
    EMAIL_SMTP_TIMEOUT_MS: '4000',
    EMAIL_CALL_DEADLINE_MS: '4000',
    EMAIL_LEASE_MS: '10000',
    EMAIL_RETURN_PATH_DOMAIN: 'returns.chaos.example',
    EMAIL_TOKEN_SECRET: 'the-secret-of-the-chaos-runs',
    EMAIL_PLATFORM_FROM: 'no-reply@chaos.example',
    // No name server: the status of sender domains does not change.
    EMAIL_DNS_SERVERS: '127.0.0.1:1',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8',
    PUBLIC_TRACKING_URL: 'https://track.chaos.example',
    ...chatappConfig(provider),
    ...BOT_CONFIG,
    SMS_CARRIERS: JSON.stringify([
      {
        name: 'chaos',
        host: '127.0.0.1',
        port: carrier.smppPort,
        systemId: 'chaos',
        responseTimeoutMs: 2_000,
        reconnectMinMs: 100,
        reconnectMaxMs: 1_000,
        // More than the faults of a run can leave uncertain: giving up is legal, but proves less.
        uncertain: { maxSubmits: 10 },
      },
    ]),
  };
}
