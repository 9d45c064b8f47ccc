import { ERROR_STATUS, type ErrorCode } from './error-codes';

/** What the documentation says about an error code. */
export interface ErrorExplanation {
  /** Why the call failed. */
  meaning: string;
  /** What the caller does next. */
  remedy: string;
}

/** The explanations of all error codes, by the APIs that usually return them. */
export const ERROR_SECTIONS = {
  'All APIs': {
    UNAUTHENTICATED: {
      meaning: 'The call has no credentials, or the API key, session or token is unknown or was revoked.',
      remedy:
        'Send `Authorization: Bearer` with a valid API key. Check that the key was not revoked and belongs to this installation.',
    },
    FORBIDDEN: {
      meaning:
        'The credentials are valid, but the key lacks a scope, or the user lacks a role, or a signed link has expired.',
      remedy: 'The reference names the scope of each call. Create a key with that scope, or ask an owner for the role.',
    },
    IP_NOT_ALLOWED: {
      meaning:
        'The organization or the key accepts calls only from certain addresses, and this address is not one of them.',
      remedy: 'Add the address to the allow-list, or call from an allowed address.',
    },
    INSUFFICIENT_CREDITS: {
      meaning: 'The balance of the workspace does not cover the price. Nothing was sent or charged.',
      remedy:
        'Buy or transfer credits, then send again. A quote tells the price before a send; `credits.low` warns in time.',
    },
    NO_WORKSPACE: {
      meaning: 'The organization has no active workspace that could pay.',
      remedy: 'Create a workspace, or pay the open invoices of a suspended one.',
    },
    NOT_FOUND: {
      meaning: 'The path does not exist, or there is no object with this id in the organization.',
      remedy: 'Check the path and the id. Objects of other organizations are reported as not found.',
    },
    METHOD_NOT_ALLOWED: {
      meaning: 'The path exists, but not with this method.',
      remedy: 'Use a method from the `Allow` header.',
    },
    INVALID_REQUEST: {
      meaning: 'A field is missing, has the wrong type or an invalid value, or the field is unknown.',
      remedy:
        'The message names the field; in the v1 API, `fields` lists all invalid fields. Correct them and send again.',
    },
    INVALID_RECIPIENT: {
      meaning: 'A phone number or an email address is not valid.',
      remedy: 'Send numbers in E.164 format, such as `+919876543210`, and addresses as `name@example.com`.',
    },
    PAYLOAD_TOO_LARGE: {
      meaning: 'The body, or the message that it would create, is larger than the limit of the call.',
      remedy: 'Split the recipients into several calls, or send a smaller attachment. The reference states the limit.',
    },
    RATE_LIMITED: {
      meaning: 'More calls in a minute than the key may make, or too many calls of the organization are waiting.',
      remedy: 'Wait for the seconds in `Retry-After`. See [rate limits](rate-limits.md).',
    },
    IDEMPOTENCY_KEY_REUSED: {
      meaning: 'The `Idempotency-Key` was used for a call with another body or path.',
      remedy: 'Use a new key for a new request, and the same body for a repeated one.',
    },
    IDEMPOTENCY_IN_PROGRESS: {
      meaning: 'An earlier call with the same `Idempotency-Key` is still running.',
      remedy: 'Wait for the seconds in `Retry-After` and repeat the call. You get the response of the first one.',
    },
    SERVICE_UNAVAILABLE: {
      meaning: 'A part of the platform is unavailable at the moment, or the call could not be taken in time.',
      remedy: 'Repeat the call after `Retry-After`, with the same `Idempotency-Key`, so that nothing is sent twice.',
    },
    INTERNAL_ERROR: {
      meaning: 'An unexpected fault of the platform.',
      remedy:
        'Repeat the call with the same `Idempotency-Key`. If it fails again, quote the `X-Request-Id` to support.',
    },
  },
  'SMS and templates': {
    INVALID_SENDER: {
      meaning: 'The sender does not exist in the organization.',
      remedy: 'Send the id or the header of one of your senders.',
    },
    SENDER_INACTIVE: {
      meaning: 'The sender exists, but it is inactive.',
      remedy: 'Activate the sender, or use another one.',
    },
    INVALID_TEMPLATE: {
      meaning: 'The template does not exist in the organization, or its text cannot be parsed.',
      remedy: 'Send the id, name or slug of one of your templates, or correct the place that the message names.',
    },
    TEMPLATE_INACTIVE: {
      meaning: 'The template exists, but it is inactive.',
      remedy: 'Activate the template, or use another one.',
    },
    TEMPLATE_REQUIRED: {
      meaning: 'The call names no template, and the sender has no active template that could be used.',
      remedy: 'Register a template and send its id.',
    },
    TEMPLATE_AMBIGUOUS: {
      meaning: 'Several templates would fit the message or the sender.',
      remedy: 'Send the id of the template and its variables.',
    },
    TEMPLATE_NOT_MATCHED: {
      meaning: 'The text of the message matches no registered template of the sender.',
      remedy:
        'The message shows the closest template and the first difference. Send the text exactly as registered, or the id and variables.',
    },
    SENDER_TEMPLATE_MISMATCH: {
      meaning: 'The sender and the template belong to different onboardings.',
      remedy: 'Use a template of the onboarding of the sender.',
    },
    ONBOARDING_NOT_APPROVED: {
      meaning: 'The onboarding of the sender has not been approved for sending.',
      remedy: 'Complete the onboarding, and wait for its approval.',
    },
    DLT_SENDER_REQUIRED: {
      meaning: 'The country of the recipient requires the DLT id of the sender, which is missing.',
      remedy: 'Copy the id of the header from the DLT registry to `dltSenderId`. See [DLT in India](dlt-india.md).',
    },
    DLT_TEMPLATE_REQUIRED: {
      meaning: 'The country of the recipient requires the DLT id of the template, which is missing.',
      remedy: 'Copy the id of the template from the DLT registry to `dltTemplateId`. See [DLT in India](dlt-india.md).',
    },
    MISSING_VARIABLES: {
      meaning: 'The template needs variables that the call does not have.',
      remedy: 'Send a value for each variable that the message names.',
    },
    INVALID_VARIABLES: {
      meaning: 'With these variables, the message is empty or too long, or a variable has no valid value.',
      remedy: 'Shorten or correct the values.',
    },
    INVALID_SCHEDULED_AT: {
      meaning: 'The time of a scheduled SMS is not a valid time.',
      remedy: 'Send a time in RFC 3339 format, such as `2026-12-01T09:00:00Z`. See [times](times.md).',
    },
    SCHEDULED_AT_IN_PAST: {
      meaning: 'The time of a scheduled SMS has passed.',
      remedy: 'Send a later time, or omit it to send at once.',
    },
    NOT_CANCELABLE: {
      meaning: 'The message was already sent, or it was never scheduled.',
      remedy: 'Only scheduled messages can be canceled, before they are due.',
    },
  },
  Email: {
    NO_RECIPIENTS: {
      meaning: 'The email has no recipient.',
      remedy: 'Send at least one address in `to`.',
    },
    SUBJECT_REQUIRED: {
      meaning: 'Neither the call nor the template has a subject.',
      remedy: 'Send `subject`, or give the template one.',
    },
    BODY_REQUIRED: {
      meaning: 'Neither the call nor the template has a body.',
      remedy: 'Send `html` or `text`, or use a template with a body.',
    },
    INVALID_SEND_TIME: {
      meaning: 'The time of a scheduled email is not valid or has passed.',
      remedy: 'Send a later time in RFC 3339 format, or omit it to send at once.',
    },
    SENDER_NOT_VERIFIED: {
      meaning: 'The address is not a verified sender of the organization, or its mails cannot be signed.',
      remedy: 'Create the sender and verify its domain. See [email domains](email-domains.md).',
    },
    DOMAIN_NOT_VERIFIED: {
      meaning: 'The DNS records of the domain of the sender have not been found.',
      remedy: 'Publish the records and verify the domain. See [email domains](email-domains.md).',
    },
    EMAIL_SEND_FAILED: {
      meaning: 'The mail server rejected the mail. Nothing was charged.',
      remedy: 'The message contains the reason of the server. Correct the address or the content.',
    },
  },
  'Chat app': {
    MISSING_TEMPLATE: {
      meaning: 'A chat message of the type `template` has no template.',
      remedy: 'Send `template` with its name and language.',
    },
    MISSING_TEXT: {
      meaning: 'A chat message of the type `text` has no text.',
      remedy: 'Send `text`.',
    },
    MISSING_INTERACTIVE: {
      meaning: 'An interactive chat message has no content.',
      remedy: 'Send `interactive` with its buttons or list.',
    },
    MISSING_MEDIA: {
      meaning: 'A media message has no file.',
      remedy: 'Upload the file and send its id, or send a link.',
    },
    UNSUPPORTED_TYPE: {
      meaning: 'The type of the chat message or of the file is not supported.',
      remedy: 'Use one of the types that the message lists.',
    },
    INVALID_CATEGORY: {
      meaning: 'The category of a chat-app template is unknown.',
      remedy: 'Send one of the categories that the message lists.',
    },
    MISSING_FILE: {
      meaning: 'The upload contains no file.',
      remedy: 'Send `multipart/form-data` with a part named `file` that has a file name and is not empty.',
    },
    MEDIA_TOO_LARGE: {
      meaning: 'The uploaded file is larger than 90 MB.',
      remedy: 'Send a smaller file.',
    },
    INVALID_NUMBER: {
      meaning: 'The phone number of a chat message is not valid.',
      remedy: 'Send the number in E.164 format, such as `+919876543210`.',
    },
    INVALID_STATUS: {
      meaning: 'The status in a filter or a change is unknown.',
      remedy: 'Send one of the values that the message lists.',
    },
    CHATAPP_REQUEST_INVALID: {
      meaning: 'The provider of the chat app refuses the message, for example because the 24-hour window is closed.',
      remedy:
        'The message contains the reason. Outside of the window, send a template. See [chat-app windows](chat-app.md).',
    },
    RECIPIENT_OPTED_OUT: {
      meaning: 'The recipient has opted out of your messages. Nothing was sent or charged.',
      remedy: 'Do not send again before the person has opted in.',
    },
    CHATAPP_RATE_LIMITED: {
      meaning:
        'The provider of the chat app limits the rate of the account or of messages to this recipient. Nothing was charged.',
      remedy: 'Repeat the call after the seconds in `Retry-After`.',
    },
    CHATAPP_UPSTREAM: {
      meaning: 'The provider of the chat app failed or did not respond in time.',
      remedy: 'Get the status of the message before you repeat the call: it may have been sent.',
    },
    CHATAPP_DISABLED: {
      meaning: 'The operator has disabled sending in the chat app.',
      remedy: 'Try again later, or ask the operator.',
    },
    CHATAPP_NOT_CONFIGURED: {
      meaning: 'This installation has no chat-app account.',
      remedy: 'Ask the operator to configure it.',
    },
    SIGNATURE_INVALID: {
      meaning: 'The signature of a webhook call to this platform does not match its body.',
      remedy: 'Check that both sides use the same secret, and that no proxy changes the body.',
    },
  },
  Bots: {
    BOT_UNAVAILABLE: {
      meaning: 'The bot does not exist, or it is not published.',
      remedy: 'Check the id of the bot, and publish it.',
    },
    EMPTY_MESSAGE: {
      meaning: 'The message of a visitor has no text.',
      remedy: 'Send a text.',
    },
    MESSAGE_TOO_LONG: {
      meaning: 'The message of a visitor is longer than a bot accepts.',
      remedy: 'Shorten the text.',
    },
    INVALID_ACTION: {
      meaning: 'The quick reply or button does not belong to the last message of the bot.',
      remedy: 'Send an action of the last message, or a text.',
    },
    INVALID_RATING: {
      meaning: 'The rating is not valid, or the message cannot be rated.',
      remedy: 'Rate a reply of the bot with one of the values that the message lists.',
    },
    INVALID_SUBMISSION: {
      meaning: 'The form of a bot was sent with missing or invalid fields.',
      remedy: 'Correct the fields that the message names.',
    },
    CONVERSATION_CLOSED: {
      meaning: 'The conversation has ended.',
      remedy: 'Start a new conversation.',
    },
  },
  'Accounts, contacts and campaigns': {
    AUTH_INVALID_CREDENTIALS: {
      meaning: 'The email address, the password or the code is wrong.',
      remedy: 'Check them. After several failures, wait for the seconds in `Retry-After`.',
    },
    AUTH_SESSION_EXPIRED: {
      meaning: 'The session or the refresh token has expired, or was used before.',
      remedy: 'Log in again.',
    },
    AUTH_MFA_REQUIRED: {
      meaning: 'The user has multi-factor authentication, or the organization requires it.',
      remedy: 'Send a code of the authenticator app, or a recovery code, as `code`.',
    },
    AUTH_DEVICE_PENDING: {
      meaning: 'Nobody has approved or denied the login of the device yet.',
      remedy: 'Poll again after `interval` seconds.',
    },
    AUTH_DEVICE_SLOW_DOWN: {
      meaning: 'The device polled before `interval` seconds had passed.',
      remedy: 'Add 5 seconds to the interval, and poll again after this time.',
    },
    AUTH_DEVICE_DENIED: {
      meaning: 'A person denied the login of the device.',
      remedy: 'Stop polling. Start a new login if the person wants to approve it after all.',
    },
    AUTH_DEVICE_EXPIRED: {
      meaning: 'The device code is unknown, has expired, or was already exchanged for an API key.',
      remedy: 'Start a new login.',
    },
    EMAIL_NOT_VERIFIED: {
      meaning: 'The email address of the user has not been verified, which sending requires.',
      remedy: 'Open the link in the verification mail, or request a new one.',
    },
    VALIDATION_ERROR: {
      meaning: 'A field of the account API is missing or invalid.',
      remedy: 'Correct the field that the message names.',
    },
    SLUG_TAKEN: {
      meaning: 'Another object already has this slug.',
      remedy: 'Choose another slug.',
    },
    NAME_TAKEN: {
      meaning: 'Another object already has this name.',
      remedy: 'Choose another name.',
    },
    ALREADY_MEMBER: {
      meaning: 'The person is already a member of the organization.',
      remedy: 'Change the role of the member instead.',
    },
    LAST_OWNER: {
      meaning: 'The change would leave the organization without an owner.',
      remedy: 'Make another member an owner first.',
    },
    MFA_ALREADY_ENABLED: {
      meaning: 'Multi-factor authentication is already enabled.',
      remedy: 'Disable it before you enroll another authenticator app.',
    },
    MFA_NOT_ENABLED: {
      meaning: 'Multi-factor authentication is not enabled.',
      remedy: 'Enroll an authenticator app first.',
    },
    WOULD_LOCK_YOU_OUT: {
      meaning: 'The new allow-list does not contain the address of this call.',
      remedy: 'Add the address, or send `"force": true`.',
    },
    CONTACT_EXISTS: {
      meaning: 'Another contact has this address, number or external id. `contact_id` is its id.',
      remedy: 'Change that contact, or create with `?upsert=true`.',
    },
    CAMPAIGN_STARTED: {
      meaning: 'The campaign has started, so it cannot be changed or deleted.',
      remedy: 'Stop it and create a new one.',
    },
    INVALID_TRANSITION: {
      meaning: 'The campaign is in a status that does not allow this step.',
      remedy: 'Get the campaign; the message names the statuses that allow it.',
    },
    STATE_CONFLICT: {
      meaning: 'The state of the object does not allow the change.',
      remedy: 'The message describes the state. Get the object, and change it from its current state.',
    },
    LIMIT_REACHED: {
      meaning: 'The organization has as many objects of this kind as it may have.',
      remedy: 'Delete some, or ask the operator to raise the limit that the message names.',
    },
    INVALID_URL: {
      meaning: 'The URL of a webhook is not valid, not https, or leads to a private network.',
      remedy: 'Send a public https URL.',
    },
  },
  'Receivers of payments and events': {
    BILLING_NOT_CONFIGURED: {
      meaning: 'This installation has no payment processor.',
      remedy: 'Ask the operator to configure it.',
    },
    MISSING_SIGNATURE: {
      meaning: 'A payment event has no signature.',
      remedy: 'Check the name of the signature header in the configuration.',
    },
    INVALID_SIGNATURE: {
      meaning: 'The signature of a payment event does not match its body.',
      remedy: 'Check the secret of the endpoint, and that no proxy changes the body.',
    },
    INVALID_PAYLOAD: {
      meaning: 'The body of an event cannot be read.',
      remedy: 'Send the event exactly as the processor or provider creates it.',
    },
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<ErrorCode, ErrorExplanation>>>>>;

/** The headings of the guide to errors: a section of each group of APIs, and a part of each code. */
export function errorCodesAsMarkdown(): string {
  const sections = Object.entries(ERROR_SECTIONS).map(([title, errors]) => {
    const parts = Object.entries(errors).map(
      ([code, { meaning, remedy }]) => `### ${code}\n\n${ERROR_STATUS[code as ErrorCode]}. ${meaning} ${remedy}\n`,
    );
    return `## ${title}\n\n${parts.join('\n')}`;
  });
  return sections.join('\n');
}
