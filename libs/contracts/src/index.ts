export { CREDIT_TYPES, type CreditType } from './credit-types';
export { defineEvent, parseEvent, type EventContract, type EventEnvelope, type EventOf } from './event-contract';
export type { Integer, Timestamp, Uri, Uuid } from './formats';
export { JOB_KINDS, type JobKind, type JobLane } from './job-kinds';
export {
  ALL_EVENTS,
  BROKER_QUEUES,
  isMandatoryEvent,
  QUEUES,
  routingKeyOf,
  STORED_QUEUES,
  type DurableQueue,
} from './queues';
export { apiKeyCreated } from './events/apikey-created';
export { contactCreated, contactDeleted, contactUpdated } from './events/contact-changed';
export { emailDomainLapsed, emailDomainVerified } from './events/email-domain-changed';
export { apiKeyRevoked } from './events/apikey-revoked';
export { billingInvoicePaid, billingPaymentFailed, billingSubscriptionChanged } from './events/billing-changed';
export { billingEventReceived } from './events/billing-event-received';
export { billingReceiptDue } from './events/billing-receipt-due';
export {
  botConversationChanged,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
} from './events/bot-conversation';
export { campaignCompleted, campaignPaused, campaignStarted } from './events/campaign-changed';
export { chatappConsentChanged } from './events/chatapp-consent-changed';
export { chatappFailed } from './events/chatapp-failed';
export { chatappDelivered, chatappRead, chatappSent } from './events/chatapp-status';
export { chatappInboundReceived } from './events/chatapp-inbound-received';
export { creditsPurchased } from './events/credits-purchased';
export { chatappMessageChanged } from './events/chatapp-message-changed';
export { creditsLow } from './events/credits-low';
export {
  creditsAdjusted,
  creditsCharged,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
} from './events/credits-moved';
export { emailDue } from './events/email-due';
export { emailFailed } from './events/email-failed';
export {
  ERASING_SERVICES,
  erasureQueue,
  personErasureRequested,
  type ErasingService,
} from './events/person-erasure-requested';
export {
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailOpened,
  emailResubscribed,
  emailUnsubscribed,
} from './events/email-recipient-event';
export { emailQueued } from './events/email-queued';
export { emailSent } from './events/email-sent';
export { leadCaptured } from './events/lead-captured';
export { MAIL_QUEUE, mailRequested, type MailPurpose } from './events/mail-requested';
export { smsDelivered } from './events/sms-delivered';
export { smsFailed } from './events/sms-failed';
export { smsQueued } from './events/sms-queued';
export { smsSent } from './events/sms-sent';
export { ROLES, type Role } from './roles';
export { SCOPES, type Scope } from './scopes';
export { workspaceChanged, workspaceCreated } from './events/workspace-changed';
export {
  apiKeyRecord,
  campaignRecord,
  chatappRecord,
  consentRecord,
  contactRecord,
  conversationRecord,
  creditsLowRecord,
  domainRecord,
  emailRecipientRecord,
  emailRecord,
  endedConversationRecord,
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
