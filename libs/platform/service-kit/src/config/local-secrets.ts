import { LOCAL_SECRETS_KEYS } from '@heliograph/secrets';

/**
 * Secrets of the local stack and its simulators. They are published with the source code, so services refuse them in
 * production.
 */
export const LOCAL_SECRETS = {
  operatorToken: 'local-operator-0123456789abcdef0123456789',
  personHashKey: 'local-person-hash-0123456789abcdef0123456789',
  emailTokenSecret: 'local-email-tokens-0123456789abcdef',
  billingSecretKey: 'sk_simulated',
  billingWebhookSecret: 'whsec_simulated',
  chatappVerifyToken: 'local-verify-token',
  chatappAccessToken: 'local-platform-token',
  chatappAppSecret: 'local-app-secret',
  smppPassword: 'simulated',
  secretsKeys: LOCAL_SECRETS_KEYS,
} as const;
