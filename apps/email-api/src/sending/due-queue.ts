/** The queue of due sends. */
export const DUE_QUEUE = 'email-api.send';
/** The queue of due single sends. */
export const SINGLE_QUEUE = 'email-api.send-single';
