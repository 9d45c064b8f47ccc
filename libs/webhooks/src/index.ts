export { API_VERSION } from './api-version';
export { CATALOG, exampleDataOf, type CatalogEntry } from './catalog/catalog';
export { RECORDS, type EventData } from './catalog/event-records';
export { EVENT_PATTERNS, EVENT_TYPES, isEventPattern, isEventType, type WebhookEventType } from './catalog/event-types';
export { Clock } from './clock';
export { RESERVED_HEADERS } from './delivery/compose-request';
export { Deliverer } from './delivery/deliverer';
export { Dispatcher } from './delivery/dispatcher';
export { EndpointRefused, parseEndpointUrl, resolveEndpoint } from './delivery/endpoint-url';
export { generateSecret } from './delivery/signature';
export { ERASURE_SETTLE_MS, EventErasure } from './erasure/event-erasure';
export {
  DELIVERY_STATUSES,
  DeliveriesRepository,
  MAX_REPLAYED,
  type Delivery,
  type DeliveryStatus,
  type SubjectDelivery,
} from './log/deliveries.repository';
export { composeBody, eventIdOf, publicEventId } from './log/event-body';
export { EventLog, type FeedPage } from './log/event-log';
export { webhooksEntities, webhooksMigrations } from './migration-set';
export { PREVIOUS_WEBHOOK_SECRET, WEBHOOK_SECRET } from './secrets';
export { CLEAN_SLATE, Subscription } from './subscription.entity';
export { webhookRecordOf } from './subscription-record';
export { WebhooksLibraryModule } from './webhooks-library.module';
export { webhooksConfigSchema } from './webhooks.config';
