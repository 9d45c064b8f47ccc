import { apiKeyCreated } from './events/apikey-created';
import { contactCreated, contactDeleted, contactUpdated } from './events/contact-changed';
import { emailDomainLapsed, emailDomainVerified } from './events/email-domain-changed';
import { apiKeyRevoked } from './events/apikey-revoked';
import { billingInvoicePaid, billingPaymentFailed, billingSubscriptionChanged } from './events/billing-changed';
import { billingEventReceived } from './events/billing-event-received';
import { billingReceiptDue } from './events/billing-receipt-due';
import {
  botConversationChanged,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
} from './events/bot-conversation';
import { campaignCompleted, campaignPaused, campaignStarted } from './events/campaign-changed';
import { chatappConsentChanged } from './events/chatapp-consent-changed';
import { chatappFailed } from './events/chatapp-failed';
import { chatappDelivered, chatappRead, chatappSent } from './events/chatapp-status';
import { chatappInboundReceived } from './events/chatapp-inbound-received';
import { creditsPurchased } from './events/credits-purchased';
import { chatappMessageChanged } from './events/chatapp-message-changed';
import { creditsLow } from './events/credits-low';
import {
  creditsAdjusted,
  creditsCharged,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
} from './events/credits-moved';
import { emailDue } from './events/email-due';
import { emailFailed } from './events/email-failed';
import { personErasureRequested } from './events/person-erasure-requested';
import {
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailOpened,
  emailResubscribed,
  emailUnsubscribed,
} from './events/email-recipient-event';
import { emailQueued } from './events/email-queued';
import { emailSent } from './events/email-sent';
import { leadCaptured } from './events/lead-captured';
import { mailRequested } from './events/mail-requested';
import { smsDelivered } from './events/sms-delivered';
import { smsFailed } from './events/sms-failed';
import { smsQueued } from './events/sms-queued';
import { smsSent } from './events/sms-sent';
import { workspaceChanged, workspaceCreated } from './events/workspace-changed';

/** All event contracts. */
export const ALL_EVENTS = [
  apiKeyCreated,
  apiKeyRevoked,
  billingEventReceived,
  billingInvoicePaid,
  billingPaymentFailed,
  billingReceiptDue,
  billingSubscriptionChanged,
  botConversationChanged,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
  chatappConsentChanged,
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappMessageChanged,
  chatappRead,
  chatappSent,
  contactCreated,
  contactDeleted,
  contactUpdated,
  creditsAdjusted,
  creditsCharged,
  campaignStarted,
  campaignPaused,
  campaignCompleted,
  creditsLow,
  creditsPurchased,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
  emailBounced,
  emailClicked,
  emailComplained,
  emailDelivered,
  emailDomainLapsed,
  emailDomainVerified,
  emailDue,
  emailFailed,
  personErasureRequested,
  emailOpened,
  emailQueued,
  emailResubscribed,
  emailSent,
  emailUnsubscribed,
  leadCaptured,
  mailRequested,
  smsDelivered,
  smsFailed,
  smsQueued,
  smsSent,
  workspaceChanged,
  workspaceCreated,
];
