/** The queue of sends with recipients whose mail is due. */
export const DUE_QUEUE = 'email-api.send';
