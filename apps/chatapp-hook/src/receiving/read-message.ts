import { readContent, type InboundRow } from '@heliograph/chatapp-messages';
import { newId } from '@heliograph/database';
import { displayedNumberOf, fieldsOf, timestampOf, numberOf, textOf, type Fields } from './fields';
import { keywordOf } from './keywords';

const MAX_TYPE_LENGTH = 40;
/** Senders who hide their phone number have an id of this form: a country, a dot, letters and digits. */
const USER_ID = /^[A-Z]{2}\.[0-9A-Za-z.]{1,140}$/;

/** Returns null if the message id or the sender is missing, because such a message cannot be stored. */
export function readMessage(message: Fields, metadata: Fields, now: Date): InboundRow | null {
  const upstreamId = textOf(message['id']);
  const sender = numberOf(message['from']) ?? userIdOf(message['from_user_id']);
  if (upstreamId === null || sender === null) return null;
  const type = textOf(message['type'], MAX_TYPE_LENGTH) ?? 'unknown';
  const phoneNumberId = textOf(metadata['phone_number_id']) ?? '';
  return {
    id: newId(),
    upstream_id: upstreamId,
    phone_number_id: phoneNumberId,
    sender,
    recipient: displayedNumberOf(metadata['display_phone_number']) ?? phoneNumberId,
    type,
    occurred_at: timestampOf(message['timestamp'], now),
    media_id: textOf(fieldsOf(message[type])['id']),
    ...keywordOf(type, readContent(type, message)),
    payload: message,
  };
}

function userIdOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && USER_ID.test(id) ? id : null;
}
