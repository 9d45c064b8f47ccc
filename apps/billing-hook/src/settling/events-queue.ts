/** Stored events of the processor that wait for their effects. */
export const EVENTS_QUEUE = 'billing-hook.events';
