export { billingHook } from './billing-hook.service';
export { RECEIPTS_QUEUE } from './receipts/receipts-queue';
export { EVENTS_QUEUE } from './settling/events-queue';
