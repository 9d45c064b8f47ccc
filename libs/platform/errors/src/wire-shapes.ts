import type { AppError } from './app-error';

/** The error body of the messaging APIs and of the webhook receivers. */
export interface MessagingErrorBody {
  code: string;
  message: string;
}

export function messagingErrorBody(error: AppError): MessagingErrorBody {
  return { code: error.code, message: error.message };
}

/**
 * The header `Link` of an error: the explanation of its code in the documentation, relative to the address of the call (RFC 8288). Error
 * bodies have a fixed set of fields.
 */
export function helpLink(code: string): string {
  return `</docs/guides/errors#${code.toLowerCase().replaceAll('_', '-')}>; rel="help"`;
}

/** The error body of the v1 API. */
export interface V1ErrorBody extends MessagingErrorBody {
  /** Present in a 400 that concerns fields. */
  fields?: { field: string; message: string }[];
  /** Present in a CONTACT_EXISTS error. */
  contact_id?: string;
}

export function v1ErrorBody(error: AppError): V1ErrorBody {
  return {
    ...messagingErrorBody(error),
    ...(error.details?.['fields'] ? { fields: error.details['fields'] as [] } : {}),
    ...(error.details?.['contactId'] ? { contact_id: error.details['contactId'] as string } : {}),
  };
}

/** The error body of the account API. */
export interface AccountErrorBody {
  ok: false;
  error: MessagingErrorBody;
}

export function accountErrorBody(error: AppError): AccountErrorBody {
  return { ok: false, error: messagingErrorBody(error) };
}
