import { SealedColumn } from '@heliograph/secrets';

export const WEBHOOK_SECRET = new SealedColumn('webhooks.subscriptions', 'secret');
export const PREVIOUS_WEBHOOK_SECRET = new SealedColumn('webhooks.subscriptions', 'previous_secret');
