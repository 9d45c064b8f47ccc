import type { EventContract } from './event-contract';
import { apiKeyCreated, apiKeyRevoked } from './events/api-keys';
import {
  billingEventReceived,
  billingInvoicePaid,
  billingPaymentFailed,
  billingReceiptDue,
  billingSubscriptionChanged,
} from './events/billing';
import {
  botConversationChanged,
  botConversationEnded,
  botConversationStarted,
  botHandoffRequested,
  botMessageReceived,
  leadCaptured,
} from './events/bots';
import { campaignCompleted, campaignPaused, campaignStarted } from './events/campaigns';
import {
  chatappConsentChanged,
  chatappDelivered,
  chatappFailed,
  chatappInboundReceived,
  chatappMessageChanged,
  chatappRead,
  chatappSent,
} from './events/chatapp';
import { contactCreated, contactDeleted, contactUpdated } from './events/contacts';
import {
  creditsAdjusted,
  creditsCharged,
  creditsLow,
  creditsPurchased,
  creditsRefunded,
  creditsToppedUp,
  creditsTransferred,
} from './events/credits';
import {
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
import { MAIL_QUEUE, mailRequested } from './events/mail';
import { ERASING_SERVICES, erasureQueue, personErasureRequested } from './events/persons';
import { smsDelivered, smsFailed, smsQueued, smsSent } from './events/sms';
import { workspaceChanged, workspaceCreated } from './events/workspaces';

const smsStatuses = [smsSent, smsDelivered, smsFailed];
const emailEvents = [
  emailSent,
  emailDelivered,
  emailOpened,
  emailClicked,
  emailBounced,
  emailComplained,
  emailUnsubscribed,
];
const chatappStatuses = [chatappSent, chatappDelivered, chatappRead, chatappFailed, chatappInboundReceived];

/** The queue of the event log, which receives each event of a message once. */
export const EVENT_LOG_QUEUE = 'account-api.webhooks';

/** The events of each durable queue, by the name `<service>.<purpose>` of the queue. */
const EVENTS_OF_QUEUES: Readonly<Record<string, readonly EventContract[]>> = {
  'account-api.analytics': [
    ...smsStatuses,
    ...emailEvents,
    ...chatappStatuses,
    chatappMessageChanged,
    botConversationStarted,
    botMessageReceived,
    botHandoffRequested,
    botConversationChanged,
    leadCaptured,
    creditsCharged,
    creditsRefunded,
    creditsToppedUp,
    creditsTransferred,
    creditsAdjusted,
  ],
  'account-api.contacts': [leadCaptured, emailUnsubscribed, emailResubscribed, emailComplained, chatappConsentChanged],
  [EVENT_LOG_QUEUE]: [
    smsQueued,
    ...smsStatuses,
    emailQueued,
    emailFailed,
    ...emailEvents,
    ...chatappStatuses,
    chatappConsentChanged,
    botConversationStarted,
    botHandoffRequested,
    botConversationEnded,
    leadCaptured,
    contactCreated,
    contactUpdated,
    contactDeleted,
    campaignStarted,
    campaignPaused,
    campaignCompleted,
    creditsLow,
    creditsPurchased,
    emailDomainVerified,
    emailDomainLapsed,
    apiKeyCreated,
    apiKeyRevoked,
  ],
  'billing-hook.events': [billingEventReceived],
  'billing-hook.receipts': [billingReceiptDue],
  'email-api.send': [emailDue],
  'email-api.send-single': [emailDue],
  [MAIL_QUEUE]: [mailRequested],
  'sms-api.send': [smsQueued],
  'sms-api.send-single': [smsQueued],
  ...Object.fromEntries(ERASING_SERVICES.map((service) => [erasureQueue(service), [personErasureRequested]])),
};

/** The queues of single sends. Jobs of the same type in other queues have another routing key. */
const SINGLE_QUEUES: readonly string[] = ['email-api.send-single', 'sms-api.send-single'];

/** The routing key of events of a type for this queue. */
export function routingKeyOf(type: string, queue: string): string {
  return SINGLE_QUEUES.includes(queue) ? `${type}.single` : type;
}

/**
 * Queues whose events are stored in PostgreSQL instead of the broker: the event log, the consents of contacts and the analytics,
 * because nothing else could restore their events, and the erasures, because the organizations take turns there.
 */
const IN_DATABASE: readonly string[] = [
  'account-api.analytics',
  'account-api.contacts',
  EVENT_LOG_QUEUE,
  ...ERASING_SERVICES.map(erasureQueue),
];

/** Events that no service consumes. */
const WITHOUT_QUEUE: readonly EventContract[] = [
  billingInvoicePaid,
  billingPaymentFailed,
  billingSubscriptionChanged,
  workspaceChanged,
  workspaceCreated,
];

/** All event contracts. */
export const ALL_EVENTS: readonly EventContract[] = [
  ...new Set([...Object.values(EVENTS_OF_QUEUES).flat(), ...WITHOUT_QUEUE]),
];

export interface DurableQueue {
  /** `<service>.<purpose>` */
  name: string;
  /** The event types that it can contain. */
  events: string[];
  /** The routing keys of its events: their types, except in queues of single sends. */
  bindings: string[];
}

/** The durable queues of all services. */
export const QUEUES: readonly DurableQueue[] = Object.entries(EVENTS_OF_QUEUES).map(([name, contracts]) => {
  const events = contracts.map(({ type }) => type);
  return {
    name,
    events,
    bindings: events.map((type) => routingKeyOf(type, name)),
  };
});

/**
 * The durable queues of all services on the broker. Every process declares all of them before it publishes its first event, because
 * a broker drops an event that no queue is bound to, and the outbox is shared: any relay may publish an event, also before the
 * consumer has started for the first time.
 */
export const BROKER_QUEUES: readonly DurableQueue[] = QUEUES.filter(({ name }) => !IN_DATABASE.includes(name));

/** The queues in PostgreSQL. */
export const STORED_QUEUES: readonly DurableQueue[] = QUEUES.filter(({ name }) => IN_DATABASE.includes(name));

/** Whether each consumed event of a queue is logged: jobs, and the changes of messages once and not by every consumer. */
export function isLoggedQueue(name: string): boolean {
  return name === EVENT_LOG_QUEUE || !IN_DATABASE.includes(name);
}

const ROUTED = new Set(BROKER_QUEUES.flatMap(({ bindings }) => bindings));

/** Whether an event of this type has a queue on the broker, so that publishing it requires the queue. */
export function isMandatoryEvent(type: string): boolean {
  return ROUTED.has(type);
}
