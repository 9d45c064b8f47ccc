/** Queue of stored events that are not processed yet. */
export const EVENTS_QUEUE = 'billing-hook.events';
