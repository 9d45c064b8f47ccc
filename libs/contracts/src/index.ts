export { CREDIT_TYPES, type CreditType } from './credit-types';
export { defineEvent, parseEvent, type EventContract, type EventEnvelope, type EventOf } from './event-contract';
export type { Integer, Timestamp, Uri, Uuid } from './formats';
export { JOB_KINDS, type JobKind, type JobLane } from './job-kinds';
export {
  ALL_EVENTS,
  BROKER_QUEUES,
  EVENT_LOG_QUEUE,
  isLoggedQueue,
  isMandatoryEvent,
  QUEUES,
  routingKeyOf,
  STORED_QUEUES,
  type DurableQueue,
} from './queues';
export { apiKeyCreated, apiKeyRevoked } from './events/api-keys';
export {
  billingEventReceived,
  billingInvoicePaid,
  billingPaymentFailed,
  billingReceiptDue,
  billingSubscriptionChanged,
} from './events/billing';
export {
  botConversationChanged,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
  leadCaptured,
} from './events/bots';
export { campaignCompleted, campaignPaused, campaignStarted } from './events/campaigns';
export {
  chatappConsentChanged,
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappMessageChanged,
  chatappRead,
  chatappSent,
} from './events/chatapp';
export { contactCreated, contactDeleted, contactUpdated } from './events/contacts';
export {
  creditsAdjusted,
  creditsCharged,
  creditsLow,
  creditsPurchased,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
} from './events/credits';
export {
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailDomainLapsed,
  emailDomainVerified,
  emailDue,
  emailFailed,
  emailOpened,
  emailQueued,
  emailResubscribed,
  emailSent,
  emailUnsubscribed,
} from './events/email';
export { MAIL_QUEUE, type MailPurpose, mailRequested } from './events/mail';
export { ERASING_SERVICES, type ErasingService, erasureQueue, personErasureRequested } from './events/persons';
export { smsDelivered, smsFailed, smsQueued, smsSent } from './events/sms';
export { workspaceChanged, workspaceCreated } from './events/workspaces';
export { ROLES, type Role } from './roles';
export { SCOPES, type Scope } from './scopes';
export {
  apiKeyRecord,
  campaignRecord,
  chatappRecord,
  consentRecord,
  contactRecord,
  conversationRecord,
  creditsLowRecord,
  domainRecord,
  emailCountsRecord,
  emailRecipientRecord,
  emailRecord,
  endedConversationRecord,
  failureRecord,
  handoffRecord,
  leadRecord,
  purchaseRecord,
  smsRecord,
  webhookRecord,
  type CampaignRecord,
  type ChatappRecord,
  type ConsentRecord,
  type ContactRecord,
  type ConversationRecord,
  type EmailRecipientRecord,
  type EmailRecord,
  type PurchaseRecord,
  type SmsRecord,
  type SubmissionRecord,
  type WebhookRecord,
} from './records';
