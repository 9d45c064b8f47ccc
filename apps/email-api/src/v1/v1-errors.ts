import { withFields, type V1Fields } from '@heliograph/service-kit';

const FIELDS: V1Fields = {
  NO_RECIPIENTS: { field: 'to' },
  INVALID_RECIPIENT: { field: 'to' },
  INVALID_TEMPLATE: { field: 'template_id' },
  SUBJECT_REQUIRED: { field: 'subject' },
  BODY_REQUIRED: { field: 'html' },
  MISSING_VARIABLES: { field: 'variables' },
  // The shared checks use this code only for variables that the template cannot render.
  INVALID_REQUEST: { field: 'variables' },
};

/** Runs checks that both API versions share. Their errors name the fields of the v1 API. */
export function withV1Fields<T>(check: () => Promise<T> | T): Promise<T> {
  return withFields(FIELDS, check);
}
