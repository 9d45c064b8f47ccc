/** The queue of due sends. */
export const DUE_QUEUE = 'email-api.send';
