/** The queue of messages that are due. */
export const SEND_QUEUE = 'sms-api.send';
