import type { StatusRow } from '@heliograph/chatapp-messages';
import { isId } from '@heliograph/database';
import { fieldsOf, timestampOf, textOf, type Fields } from './fields';

const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
const MAX_ERROR_LENGTH = 1_000;
const MAX_CODE = 2_147_483_647;

/** Returns `ignored` for a status that this service does not use, and `malformed` for a status without a message id. */
export function readStatus(entry: Fields, now: Date): StatusRow | 'ignored' | 'malformed' {
  const upstreamId = textOf(entry['id']);
  if (upstreamId === null) return 'malformed';
  const status = STATUSES.find((known) => known === entry['status']);
  if (status === undefined) return 'ignored';
  const { biz_opaque_callback_data: callbackId, errors, timestamp } = entry;
  const error = fieldsOf(Array.isArray(errors) ? errors[0] : null);
  return {
    upstream_id: upstreamId,
    callback_id: isId(callbackId) ? callbackId : null,
    status,
    occurred_at: timestampOf(timestamp, now),
    error: titleOf(error['title']) ?? titleOf(error['message']),
    error_code: codeOf(error['code']),
  };
}

function titleOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, MAX_ERROR_LENGTH).toWellFormed() : null;
}

function codeOf(value: unknown): number | null {
  return Number.isInteger(value) && Math.abs(value as number) <= MAX_CODE ? (value as number) : null;
}
