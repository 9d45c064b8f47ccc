/** The queue of due messages. */
export const SEND_QUEUE = 'sms-api.send';
