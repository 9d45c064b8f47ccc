import type { IncomingMessage } from 'node:http';
import { AppError } from '@heliograph/errors';
import { asRefusal, parseQueryString, queryStringOf, readFlag, singleField } from '@heliograph/service-kit';

/**
 * The template status to list, from `approved` or `status` of the query string; null lists all. Throws INVALID_REQUEST.
 */
export function readStatusFilter(request: IncomingMessage): string | null {
  const { approved, status } = asRefusal(() => {
    const parameters = parseQueryString(queryStringOf(request));
    return {
      approved: readFlag(singleField('approved', parameters.get('approved')) ?? ''),
      status: singleField('status', parameters.get('status')) ?? '',
    };
  });
  if (typeof approved === 'string') throw new AppError('INVALID_REQUEST', 'approved must be true or false.');
  if (status !== '' && !/^\w{1,40}$/.test(status)) {
    throw new AppError('INVALID_REQUEST', 'status must be a status such as APPROVED, PENDING or REJECTED.');
  }
  if (approved && status !== '' && status.toUpperCase() !== 'APPROVED') {
    throw new AppError('INVALID_REQUEST', 'Give either approved or status, not both.');
  }
  if (approved) return 'APPROVED';
  return status === '' ? null : status.toUpperCase();
}
