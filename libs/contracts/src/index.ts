export { CREDIT_TYPES, type CreditType } from './credit-types';
export { defineEvent, parseEvent, type EventContract, type EventEnvelope, type EventOf } from './event-contract';
export { creditsCharged, creditsRefunded } from './events/credits-moved';
export { smsDelivered } from './events/sms-delivered';
export { smsFailed } from './events/sms-failed';
export { smsQueued } from './events/sms-queued';
export { smsSent } from './events/sms-sent';
export { SCOPES, type Scope } from './scopes';
