import { Module } from '@nestjs/common';
import { PersonsModule } from '@heliograph/tenancy';
import { CONFIG } from '@heliograph/service-kit';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Clock } from './clock';
import { QueueRepository } from './delivery/queue.repository';
import { Deliverer, WEBHOOK_OPTIONS, type WebhookOptions } from './delivery/deliverer';
import { DeliveryNotifications } from './delivery/delivery-notifications';
import { DeliveryRole } from './delivery/delivery-role';
import { Dispatcher } from './delivery/dispatcher';
import { WebhookMetrics } from './delivery/webhook-metrics';
import { EventErasure } from './erasure/event-erasure';
import { DeliveriesRepository } from './log/deliveries.repository';
import { EventLog } from './log/event-log';
import { webhooksEntities } from './migration-set';
import { LogRetention } from './log/log-retention';
import { SubscriptionDisabler } from './subscription-disabler';
import { SERVICE_URLS, type WebhooksConfig } from './webhooks.config';

const options = (config: WebhooksConfig): WebhookOptions => ({
  keys: config.SECRETS_KEYS,
  allowHttp: config.WEBHOOK_ALLOW_HTTP,
  allowedNetworks: config.WEBHOOK_ALLOWED_NETWORKS,
  ownUrls: ownUrlsOf(config),
});

/** The public URLs, and the addresses of the services behind the gateway. */
function ownUrlsOf(config: WebhooksConfig): string[] {
  const urls = [
    config.PUBLIC_BASE_URL,
    config.PUBLIC_TRACKING_URL,
    config.PUBLIC_BOTS_URL,
    `http://localhost:${config.PORT}`,
    ...SERVICE_URLS.map((name) => config[name]),
  ];
  return urls.filter((url) => url !== undefined);
}

/** The event log and the delivery worker. */
@Module({
  imports: [PersonsModule, TypeOrmModule.forFeature(webhooksEntities)],
  providers: [
    { provide: WEBHOOK_OPTIONS, inject: [CONFIG], useFactory: options },
    QueueRepository,
    Clock,
    Deliverer,
    DeliveriesRepository,
    DeliveryNotifications,
    DeliveryRole,
    Dispatcher,
    EventErasure,
    EventLog,
    LogRetention,
    SubscriptionDisabler,
    WebhookMetrics,
  ],
  exports: [Clock, Deliverer, DeliveriesRepository, Dispatcher, EventErasure, EventLog, TypeOrmModule],
})
export class WebhooksLibraryModule {}
