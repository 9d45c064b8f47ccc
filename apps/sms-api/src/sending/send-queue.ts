/** The queue of due messages. */
export const SEND_QUEUE = 'sms-api.send';
/** The queue of due messages of single sends. */
export const SINGLE_QUEUE = 'sms-api.send-single';
