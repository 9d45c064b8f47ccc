import { statusOf, type Subscription, type SubscriptionStatus } from './subscription.entity';

/** The v1 record of a subscription. */
export interface WebhookRecord {
  id: string;
  url: string;
  events: string[];
  description: string | null;
  workspace_id: string | null;
  headers: Record<string, string>;
  active: boolean;
  status: SubscriptionStatus;
  disabled_reason: string | null;
  api_version: string;
  created_at: string;
  updated_at: string;
}

export function webhookRecordOf(subscription: Subscription): WebhookRecord {
  return {
    id: subscription.id,
    url: subscription.url,
    events: subscription.events,
    description: subscription.description,
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
