import type { WebhookRecord } from '@heliograph/contracts';
import { isTestId } from '@heliograph/database';
import { statusOf, type Subscription } from './subscription.entity';

/** The v1 record of a subscription. */
export function webhookRecordOf(subscription: Subscription): WebhookRecord {
  return {
    id: subscription.id,
    url: subscription.url,
    events: subscription.events,
    description: subscription.description,
    mode: isTestId(subscription.organizationId) ? 'test' : 'live',
    workspace_id: subscription.workspaceId,
    headers: subscription.headers,
    active: subscription.active,
    status: statusOf(subscription),
    disabled_reason: subscription.disabledReason,
    api_version: subscription.apiVersion,
    created_at: subscription.createdAt.toISOString(),
    updated_at: subscription.updatedAt.toISOString(),
  };
}
