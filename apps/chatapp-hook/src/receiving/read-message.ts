import type { InboundRow } from '@heliograph/chatapp-messages';
import { newId } from '@heliograph/database';
import { displayedNumberOf, fieldsOf, momentOf, numberOf, textOf, type Fields } from './fields';
import { keywordOf } from './keywords';

const MAX_TYPE_LENGTH = 40;
/** Who hides the phone number has an id of this form: a country, a point, letters and digits. */
const USER_ID = /^[A-Z]{2}\.[0-9A-Za-z.]{1,140}$/;

/** Null when it does not say which message it is or who wrote it: then nothing can be stored of it. */
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
    occurred_at: momentOf(message['timestamp'], now),
    media_id: textOf(fieldsOf(message[type])['id']),
    ...keywordOf(type === 'text' ? fieldsOf(message['text'])['body'] : null),
    payload: message,
  };
}

function userIdOf(value: unknown): string | null {
  const id = textOf(value);
  return id !== null && USER_ID.test(id) ? id : null;
}
