export type { CarrierBehaviour, CarrierBehaviourInput } from './carrier/behaviour';
export { addCarrierRoutes } from './carrier/carrier-control';
export { CarrierSimulator, type CarrierSimulatorOptions, type CarrierTotals } from './carrier/carrier-simulator';
export type { CarrierMessage } from './carrier/inbox';
export type { HookAnswer } from './http-post';
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
export { PaymentsSimulator, type PaymentsSimulatorOptions, type SentEvent } from './payments/payments-simulator';
export type { ProviderAccount } from './provider/account';
export type { ProviderBehaviour, ProviderBehaviourInput } from './provider/behaviour';
export type { SentMessage } from './provider/messages/sent-messages';
export { addProviderRoutes } from './provider/provider-control';
export {
  NoHookError,
  ProviderSimulator,
  type ProviderSimulatorOptions,
  type ProviderTotals,
  type UpdateInput,
  type WebhookAnswer,
} from './provider/provider-simulator';
export type { ProviderRequest } from './provider/request-log';
export type { Template as ProviderTemplate, TemplateReview } from './provider/templates/catalogue';
export type { InboundInput, InboundMessage, StatusInput } from './provider/webhooks/updates';
export { WebhookInbox } from './webhook-inbox/webhook-inbox';
