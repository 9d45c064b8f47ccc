export { Backlog } from './backlog';
export type {
  Bus,
  Consumption,
  DeadLetter,
  Delivery,
  DeclaredQueue,
  OutgoingEvent,
  QueueDefinition,
  DeliveryOutcome,
} from './bus';
export { Consumes, type ConsumesOptions } from './consumes';
export { TryAgainLater } from './event-consumer';
export { LocalBus } from './local-bus';
export { messagingConfigSchema, type MessagingConfig } from './messaging.config';
export { BUS, MessagingModule, type MessagingModuleOptions } from './messaging.module';
export { messagingMigrations } from './migration-set';
export { addRetryToOutbox, addToOutbox, composeEvent, type NewEvent } from './outbox';
export { RabbitBus, type BusLog } from './rabbit-bus';
export { Relay } from './relay';
