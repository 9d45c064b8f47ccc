import { withFields, type V1Fields } from '@heliograph/service-kit';

/** The field of the v1 API for each error code of the shared checks. */
const FIELDS: V1Fields = {
  INVALID_SENDER: {
    field: 'sender_id',
    message: 'sender_id must be the id or the header of one of your senders. GET /api/sms/senders lists them.',
  },
  SENDER_INACTIVE: { field: 'sender_id' },
  ONBOARDING_NOT_APPROVED: { field: 'sender_id' },
  DLT_SENDER_REQUIRED: { field: 'sender_id' },
  INVALID_TEMPLATE: {
    field: 'template_id',
    message: 'template_id must be the id or the name of one of your templates. GET /api/v1/sms/templates lists them.',
  },
  TEMPLATE_INACTIVE: { field: 'template_id' },
  SENDER_TEMPLATE_MISMATCH: { field: 'template_id' },
  DLT_TEMPLATE_REQUIRED: { field: 'template_id' },
  TEMPLATE_NOT_MATCHED: { field: 'message' },
  TEMPLATE_AMBIGUOUS: { field: 'message' },
  INVALID_RECIPIENT: { field: 'to' },
  // The shared checks use this code only for an invalid text.
  INVALID_REQUEST: { field: 'message' },
  MISSING_VARIABLES: { field: 'variables' },
  INVALID_VARIABLES: { field: 'variables' },
};

/** Runs checks that both API versions share. Their errors name the fields of the v1 API. */
export function withV1Fields<T>(check: () => Promise<T> | T): Promise<T> {
  return withFields(FIELDS, check);
}
