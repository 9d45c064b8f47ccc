export type { CarrierBehaviour, CarrierBehaviourInput } from './carrier/behaviour';
export { addCarrierRoutes } from './carrier/carrier-control';
export { CarrierSimulator, type CarrierSimulatorOptions, type CarrierTotals } from './carrier/carrier-simulator';
export type { CarrierMessage } from './carrier/inbox';
export {
  ControlApi,
  ControlError,
  ControlPage,
  type ControlHandler,
  type ControlMethod,
  type ControlRequest,
} from './control-api';
export { createControlApi, type Simulators } from './create-control-api';
export type { MailboxBehaviour, MailboxBehaviourInput } from './mailbox/behaviour';
export type { ReturnPath } from './mailbox/deliver-report';
export type { MailEnvelope, StoredMail } from './mailbox/inbox';
export type { MailAttachment, MailboxMessage } from './mailbox/mail-message';
export { addMailboxRoutes } from './mailbox/mailbox-control';
export {
  MailboxSimulator,
  NoReturnPathError,
  NoSuchMailError,
  type MailboxSimulatorOptions,
  type MailboxTotals,
} from './mailbox/mailbox-simulator';
export { writeNotification, type DeliveryNotice, type NotifyAction } from './mailbox/report';
export { addPaymentsRoutes } from './payments/payments-control';
export {
  PaymentsSimulator,
  type HookAnswer,
  type PaymentEventInput,
  type PaymentsSimulatorOptions,
  type SentEvent,
} from './payments/payments-simulator';
export type { PlatformAccount } from './platform/account';
export type { PlatformBehaviour, PlatformBehaviourInput } from './platform/behaviour';
export type { SentMessage } from './platform/messages/sent-messages';
export { addPlatformRoutes } from './platform/platform-control';
export {
  NoHookError,
  PlatformSimulator,
  type PlatformSimulatorOptions,
  type PlatformTotals,
  type UpdateInput,
  type WebhookAnswer,
} from './platform/platform-simulator';
export type { PlatformRequest } from './platform/request-log';
export type { Template as PlatformTemplate, TemplateReview } from './platform/templates/catalogue';
export type { InboundInput, InboundMessage, StatusInput } from './platform/webhooks/updates';
